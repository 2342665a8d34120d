"""How long the day is: the sun's height by latitude and date, without any network."""

import calendar
import math
from typing import Literal, get_args

Place = Literal[
    "Longyearbyen", "Reykjavik", "Oslo", "London", "Madrid", "New York", "Tokyo", "Cairo",
    "Singapore", "Nairobi", "Lima", "Sydney", "Cape Town", "Ushuaia",
]
PLACES: tuple[Place, ...] = get_args(Place)

LATITUDES = dict(
    zip(
        PLACES,
        [78.2, 64.1, 59.9, 51.5, 40.4, 40.7, 35.7, 30.0, 1.4, -1.3, -12.0, -33.9, -33.9, -54.8],
        strict=True,
    )
)

# The sun has risen when its upper edge shows, and air bends its light: 50 arc minutes.
HORIZON = math.radians(-50 / 60)


def daylight_hours(latitude: float, day_of_year: int) -> float:
    """Return the hours from sunrise to sunset: 0 in the polar night, 24 under the midnight sun."""
    tilt = math.radians(23.44) * math.sin(math.tau * (day_of_year - 81) / 365)
    angle = math.radians(latitude)
    cosine = (math.sin(HORIZON) - math.sin(angle) * math.sin(tilt)) / (
        math.cos(angle) * math.cos(tilt)
    )
    return 24 / math.pi * math.acos(max(-1.0, min(1.0, cosine)))


def daylight_by_month(latitude: float) -> list[float]:
    """Return the hours on the 21st of each month; solstices and equinoxes fall on or near it."""
    return [
        round(daylight_hours(latitude, 21 + sum(calendar.mdays[:month])), 2)
        for month in range(1, 13)
    ]


def spoken(hours: float) -> str:
    """Return `18 h 49 min` for 18.82."""
    minutes = round(hours * 60)
    return f"{minutes // 60} h {minutes % 60:02} min"
