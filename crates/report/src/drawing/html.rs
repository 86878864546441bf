//! A picture as one HTML page that needs no network: it can be dragged, zoomed by the wheel and
//! folded, and shows the source of what is clicked.

use super::layout::layout;
use super::svg::{STYLE, content};
use super::{Picture, escaped};

/// The whole page.
pub fn html(picture: &Picture) -> String {
    let layout = layout(picture);
    let mut sources = String::new();
    for (index, (path, text)) in picture.files.iter().enumerate() {
        let lines: Vec<String> = text
            .lines()
            .enumerate()
            .map(|(line, text)| format!("<span data-n=\"{}\">{}</span>", line + 1, escaped(text)))
            .collect();
        sources += &format!(
            "<section id=\"file{index}\" hidden><h2>{}</h2><pre>{}</pre></section>\n",
            escaped(path),
            lines.join("\n")
        );
    }
    let choices: Vec<String> = picture
        .styles
        .iter()
        .enumerate()
        .map(|(index, style)| {
            format!(
                "<label style=\"color:{}\"><input type=\"checkbox\" checked data-style=\"{index}\"> \
                 {}</label>",
                style.colour,
                escaped(style.name)
            )
        })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><title>{title}</title>\n\
         <style>{STYLE}{PAGE}</style>\n<header><b>{title}</b> {choices} \
         <label><input type=\"checkbox\" checked id=\"doubt\"> may</label> \
         <button id=\"fold\">fold all</button> <button id=\"unfold\">unfold all</button></header>\n\
         <main><svg id=\"picture\" viewBox=\"0 0 {width:.0} {height:.0}\"><g id=\"all\">\n{content}\
         </g></svg><aside id=\"source\">{sources}</aside></main>\n<script>{SCRIPT}</script></html>\n",
        title = escaped(&picture.title),
        choices = choices.join(" "),
        width = layout.width,
        height = layout.height,
        content = content(picture, &layout),
    )
}

const PAGE: &str = "\
body{margin:0;font:13px system-ui,sans-serif;display:flex;flex-direction:column;height:100vh}\
header{padding:6px 10px;border-bottom:1px solid #d0d7de}header label{margin-left:10px}\
main{flex:1;display:flex;min-height:0}svg{flex:3;cursor:grab;background:#fff}\
aside{flex:1;overflow:auto;border-left:1px solid #d0d7de;padding:0 8px;display:none}\
aside.open{display:block}aside h2{font-size:13px}pre{font:11px ui-monospace,monospace}\
pre span{display:block}pre span::before{content:attr(data-n);display:inline-block;width:4ch;\
color:#8c959f}pre span.on{background:#fff8c5}\
[data-file],.frame>text,.head{cursor:pointer}.hidden{display:none}";

/// Folding a box hides its rows, folding a frame hides its boxes; arrows then end at the title.
const SCRIPT: &str = r##"
const svg = document.getElementById('picture'), all = document.getElementById('all');
let x = 0, y = 0, zoom = 1, held = null;
const move = () => all.setAttribute('transform', `translate(${x} ${y}) scale(${zoom})`);
const at = e => { const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse()); return [p.x, p.y]; };
svg.onpointerdown = e => { held = at(e); };
svg.onpointermove = e => { if (!held) return; const [a, b] = at(e); x += a - held[0]; y += b - held[1]; held = [a, b]; move(); };
onpointerup = () => { held = null; };
svg.onwheel = e => { e.preventDefault(); const [a, b] = at(e), k = e.deltaY < 0 ? 1.15 : 1 / 1.15;
  x = a - (a - x) * k; y = b - (b - y) * k; zoom *= k; move(); };
const boxes = [...document.querySelectorAll('.box')], frames = [...document.querySelectorAll('.frame')];
const arrows = [...document.querySelectorAll('.arrow')].map(g => ({ g, path: g.querySelector('path'), d: g.querySelector('path').getAttribute('d') }));
const numbers = d => d.match(/-?[\d.]+/g).map(Number);
const inside = (r, px, py) => px >= r.x - 1 && px <= r.x + r.w + 1 && py >= r.y - 1 && py <= r.y + r.h + 1;
const rect = g => { const r = g.querySelector('rect'), n = k => +r.getAttribute(k); return { x: n('x'), y: n('y'), w: n('width'), h: n('height') }; };
const places = boxes.map(g => ({ g, r: rect(g), frame: g.dataset.frame })), outer = frames.map(g => ({ g, r: rect(g) }));
const folded = { boxes: new Set(), frames: new Set() };
const owner = (px, py) => places.findIndex(p => inside(p.r, px, py));
arrows.forEach(a => { const n = numbers(a.d); a.from = owner(n[0], n[1]); a.to = owner(n[6], n[7]); });
const end = (box, px, py) => { if (box < 0) return [px, py]; const p = places[box];
  if (folded.frames.has(p.frame)) { const r = outer[p.frame].r; return [r.x + 10, r.y + 12]; }
  return folded.boxes.has(box) ? [px, p.r.y + 12] : [px, py]; };
const draw = () => {
  places.forEach((p, i) => { p.g.classList.toggle('hidden', folded.frames.has(p.frame));
    const shut = folded.boxes.has(i); p.g.querySelectorAll('.row').forEach(r => r.classList.toggle('hidden', shut));
    p.g.querySelector('rect').setAttribute('height', shut ? 24 : p.r.h); });
  outer.forEach((o, i) => o.g.querySelector('rect').setAttribute('height', folded.frames.has(String(i)) ? 24 : o.r.h));
  const doubt = document.getElementById('doubt').checked;
  arrows.forEach(a => { const n = numbers(a.d), [fx, fy] = end(a.from, n[0], n[1]), [tx, ty] = end(a.to, n[6], n[7]);
    a.path.setAttribute('d', `M${fx} ${fy}C${n[2] + fx - n[0]} ${fy} ${n[4] + tx - n[6]} ${ty} ${tx} ${ty}`);
    const style = [...document.querySelectorAll('[data-style]')].find(i => a.g.classList.contains('style' + i.dataset.style));
    const same = a.from >= 0 && a.to >= 0 && places[a.from].frame === places[a.to].frame && folded.frames.has(places[a.from].frame);
    a.g.classList.toggle('hidden', same || (style && !style.checked) || (!doubt && a.g.classList.contains('doubtful'))); });
};
const flip = (set, key) => { set.has(key) ? set.delete(key) : set.add(key); draw(); };
places.forEach((p, i) => { p.g.querySelector('.head').onclick = () => flip(folded.boxes, i); });
frames.forEach((g, i) => { g.querySelector('text').onclick = () => flip(folded.frames, String(i)); });
document.querySelectorAll('header input').forEach(i => i.onchange = draw);
document.getElementById('fold').onclick = () => { frames.forEach((_, i) => folded.frames.add(String(i))); draw(); };
document.getElementById('unfold').onclick = () => { folded.frames.clear(); folded.boxes.clear(); draw(); };
document.querySelectorAll('[data-file]').forEach(t => t.onclick = () => {
  document.getElementById('source').classList.add('open');
  document.querySelectorAll('aside section').forEach(s => s.hidden = s.id !== 'file' + t.dataset.file);
  document.querySelectorAll('pre .on').forEach(s => s.classList.remove('on'));
  const lines = document.querySelectorAll('#file' + t.dataset.file + ' span');
  for (let n = +t.dataset.line; n <= +t.dataset.end; n++) lines[n - 1] && lines[n - 1].classList.add('on');
  lines[t.dataset.line - 1] && lines[t.dataset.line - 1].scrollIntoView({ block: 'center' });
});
"##;
