import { group, path } from '../svg.ts'

/** Wide capitals on a field 100 high, as strokes 24 thick: their width and their line. */
const capitals: Readonly<Record<string, readonly [width: number, line: string]>> = {
  A: [132, 'M6 100L66 12L126 100M34 76H98'],
  B: [112, 'M12 88V12H78Q98 12 98 31T78 50H12M78 50Q102 50 102 69T80 88H12Z'],
  C: [116, 'M110 30Q100 12 74 12H50Q12 12 12 50T50 88H74Q100 88 110 70'],
  D: [118, 'M12 88V12H68Q106 12 106 50T68 88Z'],
  E: [104, 'M100 12H12V88H100M12 50H90'],
  F: [100, 'M98 12H12V100M12 52H88'],
  G: [120, 'M108 30Q98 12 72 12H50Q12 12 12 50T50 88H72Q106 88 106 56H68'],
  H: [118, 'M12 0V100M106 0V100M12 50H106'],
  I: [24, 'M12 0V100'],
  J: [96, 'M84 0V54Q84 88 50 88Q18 88 12 66'],
  K: [114, 'M12 0V100M106 4L20 56M46 44L108 98'],
  L: [98, 'M12 0V88H98'],
  M: [140, 'M12 100V14L70 84L128 14V100'],
  N: [122, 'M12 100V14L110 86V0'],
  O: [124, 'M50 12H74Q112 12 112 50T74 88H50Q12 88 12 50T50 12Z'],
  P: [108, 'M12 100V12H74Q98 12 98 37T74 62H12'],
  Q: [124, 'M50 12H74Q112 12 112 50T74 88H50Q12 88 12 50T50 12ZM78 66L112 104'],
  R: [114, 'M12 100V12H78Q100 12 100 36T78 60H12M62 60L106 102'],
  S: [112, 'M104 30Q98 12 74 12H38Q12 12 12 31T38 50H74Q100 50 100 69T74 88H38Q12 88 6 70'],
  T: [112, 'M0 12H112M56 12V100'],
  U: [118, 'M12 0V50Q12 88 50 88H68Q106 88 106 50V0'],
  V: [132, 'M6 0L66 88L126 0'],
  W: [176, 'M6 0L48 86L88 10L128 86L170 0'],
  X: [120, 'M8 0L112 100M112 0L8 100'],
  Y: [122, 'M6 0L61 56L116 0M61 52V100'],
  Z: [110, 'M6 12H100L10 88H106'],
}

/** A line of drawn capitals and its width at the given height. Characters that have no drawing leave a space. */
export function lettering(text: string, height: number, paint: string): { width: number; shapes: string } {
  const scale = height / 100
  let at = 0
  let shapes = ''
  for (const character of text.toUpperCase()) {
    const glyph = capitals[character]
    if (glyph) shapes += path(glyph[1], `transform="translate(${Math.round(at)} 0)"`)
    at += glyph ? glyph[0] + 15 : 46
  }
  return {
    width: (at - 15) * scale,
    shapes: group(
      `transform="scale(${scale})" fill="none" stroke="${paint}" stroke-width="24" stroke-miterlimit="3"`,
      shapes,
    ),
  }
}
