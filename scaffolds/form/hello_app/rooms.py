"""Meeting rooms and who has them; kept in memory, so put your database here."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal, get_args

Room = Literal["Birch", "Cedar", "Maple", "Oak"]
ROOMS: tuple[Room, ...] = get_args(Room)
SEATS: dict[Room, int] = {"Birch": 4, "Cedar": 8, "Maple": 12, "Oak": 20}

# Minutes since midnight, as all times here.
OPENS, CLOSES, STEP = 8 * 60, 18 * 60, 30


class Taken(Exception):
    """Somebody else has the room at that time."""


@dataclass(frozen=True, slots=True)
class Booking:
    """A room for some time of one day; `start` and `minutes` are multiples of `STEP`."""

    title: str
    room: Room
    day: date
    start: int
    minutes: int

    @property
    def end(self) -> int:
        """When the room is free again."""
        return self.start + self.minutes

    def overlaps(self, other: "Booking") -> bool:
        """Whether both want the room at once; one may begin when the other ends."""
        same = self.room == other.room and self.day == other.day
        return same and self.start < other.end and other.start < self.end


# Every working day has these, so that there is something to collide with.
STANDING: tuple[tuple[str, Room, int, int], ...] = (
    ("Stand-up", "Birch", 9 * 60, 30),
    ("Interviews", "Birch", 14 * 60, 120),
    ("Design review", "Cedar", 13 * 60, 90),
    ("Workshop", "Maple", 10 * 60, 150),
    ("All hands", "Oak", 16 * 60, 60),
)


@dataclass
class Calendar:
    """Every booking that was made."""

    bookings: list[Booking] = field(default_factory=list)

    def on(self, day: date) -> list[Booking]:
        """Return the bookings of a day, the earliest first."""
        standing = [Booking(title, room, day, start, minutes) for title, room, start, minutes in STANDING]
        made = [booking for booking in self.bookings if booking.day == day]
        return sorted((standing if day.weekday() < 5 else []) + made, key=lambda each: each.start)

    def is_free(self, wanted: Booking) -> bool:
        """Whether nobody else has the room then."""
        return not any(wanted.overlaps(each) for each in self.on(wanted.day))

    def book(self, wanted: Booking) -> None:
        """Keep a booking.

        Raises:
            ValueError: It is not within a day's hours, or not on the half hour.
            Taken: Somebody else has the room.
        """
        on_step = wanted.start % STEP == wanted.minutes % STEP == 0
        if not on_step or wanted.minutes < STEP or wanted.start < OPENS or wanted.end > CLOSES:
            raise ValueError(f"{spoken(wanted)} is not between {clock(OPENS)} and {clock(CLOSES)}")
        if not self.is_free(wanted):
            raise Taken(f"{wanted.room} is taken {spoken(wanted)}")
        self.bookings.append(wanted)


def clock(minutes: int) -> str:
    """Return `9:30` for 570."""
    return f"{minutes // 60}:{minutes % 60:02}"


def spoken(booking: Booking) -> str:
    """Return `on Monday 30 November from 9:30 to 10:30`."""
    day = f"{booking.day:%A} {booking.day.day} {booking.day:%B}"
    return f"on {day} from {clock(booking.start)} to {clock(booking.end)}"
