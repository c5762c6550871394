"""The picture a policy is shown."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from mobilegym.phone.image import POCKET, Canvas, Format, Picture

pictures = st.sampled_from(
    [
        Picture(),
        POCKET,
        Picture(multiple=32),
        Picture(scale=0.5),
        Picture(canvas=Canvas(width=400, height=900, x=7, y=9)),
    ]
)


def screen(width: int = 360, height: int = 800, format: str = "JPEG") -> bytes:
    """Left half red, right half blue, an own strip on top."""
    image = Image.new("RGB", (width, height), "red")
    image.paste("blue", (width // 2, 0, width, height))
    image.paste("white", (0, 0, width, height // 10))
    out = io.BytesIO()
    image.save(out, format, quality=95)
    return out.getvalue()


def test_the_plain_picture_is_what_was_captured() -> None:
    captured = screen()
    assert Picture().render(captured, 360, 800) is captured


def test_the_pocket_picture_lies_on_its_canvas() -> None:
    rendered = POCKET.render(screen(), 360, 800)
    image = Image.open(io.BytesIO(rendered))
    assert image.size == POCKET.size(360, 800) == (192, 416)
    assert image.getpixel((5, 200)) == (0, 0, 0)
    assert image.getpixel((186, 200)) == (0, 0, 0)
    left, right, strip = (image.getpixel(at) for at in ((20, 200), (170, 200), (20, 30)))
    assert isinstance(left, tuple)
    assert left[0] > 240
    assert isinstance(right, tuple)
    assert right[2] > 240
    assert isinstance(strip, tuple)
    assert min(strip) > 240
    assert POCKET.to_image(0, 96 / 800, 360, 800) == (6, 64)  # where the rows begin: a multiple of 32


def test_raw_is_rgb_row_by_row() -> None:
    raw = Picture(format=Format.RAW).render(screen(format="PNG"), 360, 800)
    assert len(raw) == 360 * 800 * 3
    assert raw[:3] == b"\xff\xff\xff"


@pytest.mark.parametrize("format", [Format.JPEG, Format.PNG, Format.WEBP])
def test_sides_become_multiples(format: Format) -> None:
    picture = Picture(format=format, multiple=32)
    image = Image.open(io.BytesIO(picture.render(screen(), 360, 800)))
    assert image.size == picture.size(360, 800) == (352, 800)
    assert (image.format or "").lower() == format


@given(picture=pictures, x=st.floats(0, 1, exclude_max=True), y=st.floats(0, 1, exclude_max=True))
def test_a_point_survives_the_way_to_the_picture_and_back(picture: Picture, x: float, y: float) -> None:
    back = picture.to_screen(*picture.to_image(x, y, 360, 800), 360, 800)
    assert back == pytest.approx((x, y), abs=1e-9)


@given(picture=pictures, x=st.integers(-50, 2000), y=st.integers(-50, 2000))
def test_any_pixel_of_the_picture_is_a_point_of_the_screen(picture: Picture, x: int, y: int) -> None:
    point = picture.to_screen(x, y, 360, 800)
    assert all(0 <= share < 1 for share in point)


def test_other_scales_are_refused() -> None:
    with pytest.raises(ValueError, match=r"1\.0 or 0\.5"):
        Picture(scale=0.25)
