"""Colours that go together: turns of the colour wheel, and how well text can be read on each."""

import colorsys
from typing import Literal, get_args

Scheme = Literal["complementary", "analogous", "triadic", "tetradic"]
SCHEMES: tuple[Scheme, ...] = get_args(Scheme)
TURNS: dict[Scheme, list[float]] = {
    "complementary": [0, 180],
    "analogous": [-30, 0, 30],
    "triadic": [0, 120, 240],
    "tetradic": [0, 90, 180, 270],
}


def make_palette(colour: str, scheme: Scheme) -> list[str]:
    """Return the colours of a scheme, the given one among them, as `#rrggbb`."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*_channels(colour))
    return [
        _hex(colorsys.hls_to_rgb((hue + turn / 360) % 1, lightness, saturation))
        for turn in TURNS[scheme]
    ]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return round((lighter + 0.05) / (darker + 0.05), 2)


def text_on(colour: str) -> str:
    """Return black or white, whichever can be read better on a colour."""
    return max("#000000", "#ffffff", key=lambda text: contrast(colour, text))


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def _hex(channels: tuple[float, float, float]) -> str:
    return "#" + "".join(f"{round(each * 255):02x}" for each in channels)


def _luminance(colour: str) -> float:
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
        for each in _channels(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
