import { along, foilRamp, ink } from '../palette.ts'
import { blur, circle, clip, group, linear, n, path, rect, using } from '../svg.ts'

/** A tape reel: flange of metal with three windows, wound tape, hub. */
function reel(cx: number, cy: number, r: number, wound: number, turn: number): string {
  const flange = Array.from({ length: 120 }, (_, index) => {
    const [from, to] = [(index / 120) * Math.PI * 2, ((index + 2.2) / 120) * Math.PI * 2]
    const light = 0.18 + 0.56 * Math.abs(Math.cos(from - 0.9)) ** 10 + 0.2 * Math.abs(Math.cos(from + 0.4)) ** 30
    return path(
      `M${cx} ${cy}L${n(cx + r * Math.cos(from))} ${n(cy + r * Math.sin(from))}L${n(cx + r * Math.cos(to))} ${n(cy + r * Math.sin(to))}Z`,
      `fill="${along(foilRamp, light)}"`,
    )
  }).join('')
  const windows = [0, 1, 2]
    .map((index) => {
      const middle = turn + (index * Math.PI * 2) / 3
      const arc = (radius: number, angle: number): string =>
        `${n(cx + radius * Math.cos(angle))} ${n(cy + radius * Math.sin(angle))}`
      const [outer, inner, half, tight] = [r * 0.86, r * 0.38, 0.62, 0.42]
      return `M${arc(outer, middle - half)}A${n(outer)} ${n(outer)} 0 0 1 ${arc(outer, middle + half)}L${arc(inner, middle + tight)}A${n(inner)} ${n(inner)} 0 0 0 ${arc(inner, middle - tight)}Z`
    })
    .join('')
  const tape = Array.from({ length: Math.round((r * wound) / 5) }, (_, index) =>
    circle(cx, cy, r * 0.2 + index * 5, 'fill="none" stroke="#3a1a10" stroke-width="1.4" stroke-opacity=".8"'),
  ).join('')
  return (
    using(blur(10, 0.4), (url) => circle(cx + 7, cy + 12, r, `fill="#000000" fill-opacity=".75" filter="${url}"`)) +
    flange +
    using(clip(path(windows, '')), (url) =>
      group(
        `clip-path="${url}"`,
        circle(cx, cy, r, 'fill="#0a0605"'),
        circle(cx, cy, r * (0.2 + wound), 'fill="#1c0c08"'),
        tape,
      ),
    ) +
    path(windows, 'fill="none" stroke="#2a1604" stroke-width="2.4"') +
    circle(cx, cy, r - 1.5, `fill="none" stroke="${ink.cream}" stroke-width="2.6" stroke-opacity=".8"`) +
    circle(cx, cy, r * 0.2, `fill="#150b06" stroke="${ink.foil}" stroke-width="2"`) +
    circle(cx, cy, r * 0.14, `fill="${ink.red}"`) +
    circle(cx, cy, r * 0.035, 'fill="#0a0504"')
  )
}

/** A level meter whose needle leans into the red. */
function meter(x: number, y: number, lean: number): string {
  const ticks = Array.from({ length: 11 }, (_, index) => {
    const angle = -Math.PI * (0.8 - index * 0.06)
    return `M${n(x + 60 + 62 * Math.cos(angle))} ${n(y + 80 + 62 * Math.sin(angle))}L${n(x + 60 + 72 * Math.cos(angle))} ${n(y + 80 + 72 * Math.sin(angle))}`
  })
  const face = linear(
    [x, y],
    [x, y + 78],
    [
      [0, '#fff0c4'],
      [1, ink.foil],
    ],
  )
  return (
    using(face, (url) => rect(x, y, 120, 74, `rx="5" fill="${url}" stroke="#0a0504" stroke-width="5"`)) +
    path(ticks.slice(0, 8).join(''), 'stroke="#2a1604" stroke-width="2.2"') +
    path(ticks.slice(8).join(''), `stroke="${ink.red}" stroke-width="3"`) +
    path(
      `M${x + 60} ${y + 72}L${n(x + 60 + 60 * Math.cos(lean))} ${n(y + 78 + 60 * Math.sin(lean))}`,
      'stroke="#140a05" stroke-width="2.6"',
    )
  )
}

/** The tape machine: deck with two reels, tape path, meters. */
export function tapeMachine(): string {
  const steel = linear(
    [300, 560],
    [980, 1010],
    [
      [0, '#2b1d12'],
      [0.5, '#1a110b'],
      [1, '#0b0705'],
    ],
  )
  return (
    using(blur(26, 0.3), (url) => rect(330, 640, 660, 400, `fill="#000000" fill-opacity=".8" filter="${url}"`)) +
    using(steel, (url) =>
      rect(322, 560, 676, 440, `rx="12" fill="${url}" stroke="${ink.foilDark}" stroke-width="2.4"`),
    ) +
    path('M334 566H986', `stroke="${ink.foilLight}" stroke-width="2" stroke-opacity=".6"`) +
    reel(494, 728, 146, 0.52, 0.4) +
    reel(826, 728, 146, 0.3, 1.2) +
    path('M398 812L450 902H560L600 886H720L760 902H872L900 806', 'fill="none" stroke="#6b3a1e" stroke-width="4.5"') +
    rect(590, 860, 140, 50, `rx="7" fill="#0d0806" stroke="${ink.foilDark}" stroke-width="2"`) +
    [618, 660, 702].map((x) => rect(x - 10, 868, 20, 30, `rx="3" fill="${ink.foilDeep}"`)).join('') +
    [450, 560, 760, 872]
      .map((x) => circle(x, 900, 11, `fill="${ink.foilDeep}" stroke="#fff0c4" stroke-width="1.6"`))
      .join('') +
    meter(346, 914, -Math.PI * 0.36) +
    meter(854, 914, -Math.PI * 0.44) +
    [520, 570, 620, 670, 720, 770]
      .map((x, index) =>
        rect(
          x - 15,
          944,
          30,
          26,
          `rx="4" fill="${index === 4 ? ink.red : '#2a1a10'}" stroke="#0a0504" stroke-width="2"`,
        ),
      )
      .join('')
  )
}
