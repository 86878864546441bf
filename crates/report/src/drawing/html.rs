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
                "<label style=\"color:{}\">\
                 <input type=\"checkbox\" checked data-style=\"{index}\"> {}</label>",
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
         </g></svg><aside id=\"source\">{sources}</aside></main>\n\
         <script>{SCRIPT}</script></html>\n",
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

/// Folding a box hides its rows, folding a frame hides its boxes. Arrows then lead straight from
/// border to border, their words in the middle, one below the other; of those that say the same in
/// the same style between the same two one is shown.
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
arrows.forEach(a => { const n = numbers(a.d), last = n.length; a.start = [n[0], n[1]]; a.stop = [n[last - 2], n[last - 1]];
  a.from = owner(...a.start); a.to = owner(...a.stop); a.words = a.g.querySelector('.words'); a.texts = [...a.g.querySelectorAll('text')];
  a.at = a.texts.map(t => [t.getAttribute('x'), t.getAttribute('y')]); a.said = a.texts.map(t => t.textContent).join(' '); });
const bar = 24, widths = outer.map(o => Math.min(o.r.w, o.g.querySelector('text').getBBox().width + 20));
const shape = box => { if (box < 0) return null; const p = places[box];
  if (folded.frames.has(p.frame)) { const r = outer[p.frame].r; return { key: 'frame' + p.frame, x: r.x, y: r.y, w: widths[p.frame], h: bar }; }
  return folded.boxes.has(box) ? { key: 'box' + box, x: p.r.x, y: p.r.y, w: p.r.w, h: bar } : null; };
const middle = (r, point) => r ? [r.x + r.w / 2, r.y + r.h / 2] : point;
const border = (r, point, other) => { if (!r) return point; const [cx, cy] = middle(r), dx = other[0] - cx, dy = other[1] - cy;
  const k = Math.min(r.w / 2 / (Math.abs(dx) || 1e-9), r.h / 2 / (Math.abs(dy) || 1e-9)); return [cx + dx * k, cy + dy * k]; };
const chosen = () => new Set([...document.querySelectorAll('[data-style]')].filter(i => i.checked).map(i => 'style' + i.dataset.style));
const draw = () => {
  places.forEach((p, i) => { p.g.classList.toggle('hidden', folded.frames.has(p.frame));
    const shut = folded.boxes.has(i); p.g.querySelectorAll('.row').forEach(r => r.classList.toggle('hidden', shut));
    p.g.querySelector('rect').setAttribute('height', shut ? bar : p.r.h); });
  outer.forEach((o, i) => { const shut = folded.frames.has(String(i)), r = o.g.querySelector('rect');
    r.setAttribute('height', shut ? bar : o.r.h); r.setAttribute('width', shut ? widths[i] : o.r.w); });
  const doubt = document.getElementById('doubt').checked, wanted = chosen(), seen = new Set(), lines = new Map();
  arrows.forEach(a => { const from = shape(a.from), to = shape(a.to), style = [...a.g.classList].find(c => c.startsWith('style'));
    let hide = !wanted.has(style) || (!doubt && a.g.classList.contains('doubtful'));
    const moved = from || to, pair = [from ? from.key : 'at' + a.start, to ? to.key : 'at' + a.stop];
    if (from && to && from.key === to.key) hide = true;
    if (moved && !hide) { const same = [...pair, style, a.said].join(' '); hide = seen.has(same); seen.add(same); }
    a.g.classList.toggle('hidden', hide);
    if (!moved || hide) { a.path.setAttribute('d', a.d); a.texts.forEach((t, i) => { t.setAttribute('x', a.at[i][0]); t.setAttribute('y', a.at[i][1]); });
      a.words && a.words.classList.remove('hidden'); return; }
    const [fx, fy] = border(from, a.start, middle(to, a.stop)), [tx, ty] = border(to, a.stop, middle(from, a.start));
    a.path.setAttribute('d', `M${fx} ${fy}L${tx} ${ty}`);
    a.words && a.words.classList.add('hidden');
    const both = pair.sort().join(' '); let line = lines.get(both) || 0;
    a.texts.forEach(t => { t.setAttribute('x', (fx + tx) / 2); t.setAttribute('y', (fy + ty) / 2 + 12 * line++); });
    lines.set(both, line); });
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
