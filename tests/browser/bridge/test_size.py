"""How the bridge follows the size of its content, in Chromium."""

from __future__ import annotations

import pytest

from tests.browser.bridge.conftest import Host, view_page

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

BOX = "<div id=box style='height:100px'></div>"
SET = "height => { document.getElementById('box').style.height = height + 'px' }"


@pytest.mark.parametrize("margin", [0, 8])
async def test_e71_k92_heights_are_followed_up_and_down(host: Host, margin: int) -> None:
    view = await host.mount(view_page(body=BOX, css=f"body{{margin:{margin}px}}"))
    seen = [(await host.rest())[-1]]
    for height in (400, 600, 100, 120):
        await view.evaluate(SET, height)
        seen.append((await host.rest())[-1])
    assert seen == [height + 2 * margin for height in (100, 400, 600, 100, 120)]


async def test_e71_each_size_is_reported_once(host: Host) -> None:
    view = await host.mount(view_page(body=BOX))
    await host.rest()
    await view.evaluate(SET, 400)
    await host.rest()
    await view.evaluate("document.body.append('')")
    await view.evaluate("document.body.dataset.changed = 'yes'")
    assert await host.rest() == [100, 400]


async def test_a_frame_brings_one_report_at_most(host: Host) -> None:
    script = """
      const post = parent.postMessage.bind(parent);
      let frames = 0;
      const count = () => { frames++; requestAnimationFrame(count); };
      requestAnimationFrame(count);
      window.reports = () => frames;
      addEventListener("grow", () => {
        let height = 100, start = frames;
        const timer = setInterval(() => {
          box.style.height = (height += 4) + "px";
          if (height >= 500) { clearInterval(timer); window.span = frames - start; }
        }, 1);
      });
    """
    view = await host.mount(view_page(script, body=BOX))
    before = len(await host.rest())
    await view.evaluate("dispatchEvent(new Event('grow'))")
    await view.wait_for_function("window.span !== undefined")
    after = await host.rest()
    assert after[-1] == 500
    assert len(after) - before <= await view.evaluate("window.span") + 2


async def test_shrinks_of_up_to_three_pixels_are_ignored_and_growth_never(host: Host) -> None:
    view = await host.mount(view_page(body=BOX))
    await host.rest()
    for height in (97, 98, 101, 98, 97):
        await view.evaluate(SET, height)
        await host.rest()
    assert await host.rest() == [100, 101, 97]


async def test_many_small_shrinks_add_up_to_one(host: Host) -> None:
    view = await host.mount(view_page(body=BOX))
    await host.rest()
    for height in (99, 98, 97, 96):
        await view.evaluate(SET, height)
        await host.rest()
    assert await host.rest() == [100, 96]


@pytest.mark.parametrize(
    ("css", "body", "heights"),
    [
        ("main{min-height:100vh}", "<main>text</main>", [150]),
        ("body{margin:8px} main{min-height:100vh}", "<main>text</main>", [166]),
        ("main{height:120vh}", "<main>text</main>", [180]),
        ("html,body,main{height:100%}", "<main>text</main>", [150]),
        ("body{min-height:100vh;padding:20px}", "text", [190]),
        ("main{min-height:100vh}", "<main><p style='height:400px;margin:0'></main>", [400]),
        ("main{min-height:calc(100vh - 2px)}", "<main>text</main>", [148]),
        ("main{height:calc(100vh - 40px)}", "<main>text</main>", [110]),
    ],
)
async def test_a_page_that_follows_the_frame_settles(
    host: Host, css: str, body: str, heights: list[int]
) -> None:
    await host.mount(view_page(css=css, body=body))
    assert await host.rest() == heights


async def test_a_page_that_follows_the_frame_still_grows_with_its_content(host: Host) -> None:
    css = "body{margin:8px} main{min-height:100vh}"
    view = await host.mount(view_page(css=css, body=f"<main>{BOX}</main>"))
    await host.rest()
    await view.evaluate(SET, 500)
    assert await host.rest() == [166, 516]


@pytest.mark.parametrize(
    "css",
    [
        "html,body{height:100%}",
        "html,body{height:100%} body{padding:10px 0;box-sizing:border-box} #box{margin:-10px 0}",
        "html{height:100%} body{min-height:100%}",
        "body{height:100vh}",
    ],
)
async def test_a_body_as_high_as_the_frame_shrinks_with_its_content(host: Host, css: str) -> None:
    view = await host.mount(view_page(css=css, body=BOX))
    await host.rest()
    for height in (400, 100):
        await view.evaluate(SET, height)
        await host.rest()
    assert await host.rest() == [100, 400, 100]


async def test_measuring_leaves_the_style_sheets_of_the_page_alone(host: Host) -> None:
    script = """
      const own = new CSSStyleSheet();
      own.replaceSync("#box { height: 222px !important }");
      document.adoptedStyleSheets = [own];
      window.changes = 0;
      new MutationObserver(() => changes++).observe(document, { subtree: true, attributes: true });
      window.same = () => document.adoptedStyleSheets.length == 1
        && document.adoptedStyleSheets[0] == own;
    """
    view = await host.mount(view_page(script, body=BOX))
    assert await host.rest() == [222]
    assert await view.evaluate("[same(), changes]") == [True, 0]


@pytest.mark.parametrize("css", ["display:none", "width:0 !important"])
async def test_a_frame_that_is_not_shown_reports_nothing_until_it_is(host: Host, css: str) -> None:
    await host.run(
        """css => { window.hiding = document.head.appendChild(Object.assign(
            document.createElement("style"), { textContent: `iframe { ${css} }` })) }""",
        css,
    )
    await host.mount(view_page(body="<p style='margin:0'>" + "a long text " * 40))
    assert await host.rest() == []
    await host.run("hiding.remove()")
    await host.rest()
    sizes = await host.run("host.all('ui/notifications/size-changed').map(({ params }) => params)")
    assert [size["width"] for size in sizes] == [600]
    assert 20 < sizes[0]["height"] < 300


async def test_a_page_without_content_reports_nothing(host: Host) -> None:
    view = await host.mount(view_page())
    assert await host.rest() == []
    await view.evaluate("document.body.style.paddingTop = '30px'")
    assert await host.rest() == [30]


@pytest.mark.parametrize(
    "motion",
    [
        "main::after{content:'';animation:spin 1s infinite} @keyframes spin{to{rotate:1turn}}",
        "",
    ],
)
async def test_a_page_that_follows_the_frame_and_never_rests_settles_too(
    host: Host, motion: str
) -> None:
    script = "" if motion else "setInterval(() => { box.dataset.tick = performance.now() }, 5)"
    css = "body{margin:8px} main{min-height:100vh}" + motion
    await host.mount(view_page(script, css=css, body=f"<main>{BOX}</main>"))
    assert (await host.rest())[-1] <= 166 + 9 * 16


async def test_a_host_that_takes_its_border_from_the_height_does_not_shrink_the_page(
    host: Host,
) -> None:
    await host.run(
        """() => document.head.append(Object.assign(document.createElement("style"),
            { textContent: "iframe { box-sizing: border-box; border: 1px solid !important }" }))"""
    )
    await host.mount(view_page(css="html,body,main{height:100%}", body="<main>text</main>"))
    assert len(await host.rest()) == 1


async def test_portals_and_absolutely_placed_content_count(host: Host) -> None:
    view = await host.mount(view_page(body=BOX))
    await host.rest()
    await view.evaluate(
        """() => { const menu = document.createElement("div"); menu.id = "menu";
          menu.style = "position:absolute;top:50px;height:250px;width:10px";
          document.body.append(menu); }"""
    )
    assert (await host.rest())[-1] == 300
    await view.evaluate("menu.style.height = '150px'")
    assert (await host.rest())[-1] == 200
    await view.evaluate("menu.remove()")
    assert (await host.rest())[-1] == 100


async def test_text_that_overflows_its_box_counts(host: Host) -> None:
    body = "<div style='height:20px;line-height:60px'>a<br>b<br>c</div>"
    await host.mount(view_page(body=body))
    assert await host.rest() == [180]


async def test_what_a_box_scrolls_or_hides_does_not_count(host: Host) -> None:
    body = "<div style='height:80px;overflow:auto'><div style='height:900px'></div></div>"
    await host.mount(view_page(body=body))
    assert await host.rest() == [80]


async def test_what_hangs_on_the_viewport_does_not_keep_the_frame_high(host: Host) -> None:
    footer = "<footer style='position:fixed;bottom:0;height:30px'><b>bar</b></footer>"
    view = await host.mount(view_page(body=BOX + footer))
    await host.rest()
    await view.evaluate(SET, 400)
    await host.rest()
    await view.evaluate(SET, 100)
    assert await host.rest() == [100, 400, 100]


async def test_the_end_of_a_transition_is_followed(host: Host) -> None:
    css = "#box{transition:height 120ms linear} #menu{transition:height 120ms linear}"
    menu = "<div id=menu style='position:absolute;top:0;height:50px;width:9px'></div>"
    view = await host.mount(view_page(css=css, body=BOX + menu))
    await host.rest()
    await view.evaluate(SET, 433)
    assert (await host.rest())[-1] == 433
    await view.evaluate("menu.style.height = '611px'")
    assert (await host.rest())[-1] == 611
    await view.evaluate("menu.style.height = '50px'")
    assert (await host.rest())[-1] == 433


async def test_an_image_that_arrives_counts(host: Host) -> None:
    svg = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='321'/%3E"
    view = await host.mount(view_page(body="<img style='display:block'>"))
    await host.rest()
    await view.evaluate("src => { document.images[0].src = src }", svg)
    assert (await host.rest())[-1] == 321


async def test_a_narrower_frame_brings_a_report_of_the_taller_content(host: Host) -> None:
    body = "<div style='aspect-ratio:6/1'></div>"
    await host.mount(view_page(body=body))
    await host.rest()
    await host.run("() => { frame.style.width = '300px' }")
    assert await host.rest() == [100, 50]
    sizes = await host.run("host.all('ui/notifications/size-changed').map(({ params }) => params)")
    assert sizes == [{"width": 600, "height": 100}, {"width": 300, "height": 50}]


async def test_nothing_is_reported_in_fullscreen_and_the_size_again_after_it(host: Host) -> None:
    view = await host.mount(view_page(body=BOX))
    await host.rest()
    await host.run("host.sendContext({ displayMode: 'fullscreen' })")
    await view.evaluate("view.hostContext.displayMode == 'fullscreen'")
    await view.evaluate(SET, 700)
    assert await host.rest() == [100]
    await view.evaluate(SET, 100)
    await host.run("host.sendContext({ displayMode: 'inline' })")
    assert await host.rest() == [100, 100]


async def test_auto_resize_can_be_off(host: Host) -> None:
    page = view_page(body=BOX).replace("version: '1'", "version: '1', autoResize: false")
    view = await host.mount(page)
    await view.evaluate(SET, 700)
    assert await host.rest() == []
    await view.evaluate("view.sendSizeChanged({ width: 10, height: 20 })")
    assert await host.rest() == [20]


async def test_a_frame_that_is_not_drawn_reports_by_a_timer(host: Host) -> None:
    head = "<script>window.requestAnimationFrame = () => 0</script>"
    view = await host.mount(view_page(body=BOX, head=head))
    assert await host.rest() == [100]
    await view.evaluate(SET, 222)
    assert await host.rest() == [100, 222]


async def test_teardown_ends_the_reports(host: Host) -> None:
    view = await host.mount(view_page(body=BOX))
    await host.rest()
    await host.run("host.teardown()")
    await view.evaluate(SET, 500)
    assert await host.rest() == [100]


async def test_a_page_whose_body_is_not_there_yet_reports_when_it_is(host: Host) -> None:
    script = """
      const { body } = document;
      body.remove();
      window.restore = () => document.documentElement.append(body);
    """
    view = await host.mount(view_page(script, body=BOX))
    assert await host.rest() == []
    await view.evaluate("restore()")
    assert await host.rest() == [100]
