import { accentContrast, MIN_CONTRAST } from '../../worker/contract/appearance'

const SAMPLE_SIZE_PX = 48
/** Number of hue groups. A result has at most one color of each group, so that the colors differ. */
const HUE_GROUPS = 12
/** Colors with less saturation look gray. */
const MIN_SATURATION = 0.22

type Hsl = { hue: number; saturation: number; lightness: number }

/** `red`, `green` and `blue` from 0 to 255; `hue` in degrees, `saturation` and `lightness` from 0 to 1. */
function toHsl(red: number, green: number, blue: number): Hsl {
  const r = red / 255
  const g = green / 255
  const b = blue / 255
  const max = Math.max(r, g, b)
  const range = max - Math.min(r, g, b)
  const lightness = max - range / 2
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * lightness - 1))
  if (range === 0) return { hue: 0, saturation, lightness }
  let sector = (r - g) / range + 4
  if (max === r) sector = ((g - b) / range + 6) % 6
  else if (max === g) sector = (b - r) / range + 2
  return { hue: sector * 60, saturation, lightness }
}

/** Converts with the formula of CSS Color 4. */
function toHex({ hue, saturation, lightness }: Hsl): string {
  const amplitude = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const step = (offset + hue / 30) % 12
    const value = lightness - amplitude * Math.max(-1, Math.min(step - 3, 9 - step, 1))
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0')
  }
  return `#${channel(0)}${channel(8)}${channel(4)}`
}

/** The color as hex, lightened until it is readable on the site's background. */
function toReadableHex(color: Hsl): string {
  for (let lightness = color.lightness; lightness < 0.95; lightness += 0.02) {
    const hex = toHex({ ...color, lightness })
    if (accentContrast(hex) >= MIN_CONTRAST) return hex
  }
  return toHex({ ...color, lightness: 0.95 })
}

/** Up to `max` readable accent colors of an image, most frequent hue first. `pixels` is RGBA, as in ImageData. */
export function accentColors(pixels: ArrayLike<number>, max = 4): string[] {
  const groups = new Map<number, { weight: number; red: number; green: number; blue: number }>()
  for (let i = 0; i + 3 < pixels.length; i += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = [pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]]
    const { hue, saturation, lightness } = toHsl(red, green, blue)
    // Skips transparent, gray, almost black and almost white pixels.
    if (alpha < 128 || saturation < MIN_SATURATION || lightness < 0.12 || lightness > 0.95) continue
    const hueGroup = Math.floor((hue / 360) * HUE_GROUPS)
    // Vivid pixels count more than shadows.
    const weight = saturation * lightness
    const group = groups.get(hueGroup) ?? { weight: 0, red: 0, green: 0, blue: 0 }
    groups.set(hueGroup, {
      weight: group.weight + weight,
      red: group.red + red * weight,
      green: group.green + green * weight,
      blue: group.blue + blue * weight,
    })
  }
  return [...groups.values()]
    .sort((a, b) => b.weight - a.weight)
    .slice(0, max)
    .map(({ weight, red, green, blue }) => toReadableHex(toHsl(red / weight, green / weight, blue / weight)))
}

/** The accent colors of an image on this site, most frequent first. @throws Error if it cannot be loaded. */
export async function loadAccentColors(url: string): Promise<string[]> {
  const image = new Image(SAMPLE_SIZE_PX, SAMPLE_SIZE_PX)
  // Images in the public bucket have another origin, which must not taint the canvas.
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = SAMPLE_SIZE_PX
  canvas.height = SAMPLE_SIZE_PX
  const context = canvas.getContext('2d')
  if (!context) return []
  context.drawImage(image, 0, 0, SAMPLE_SIZE_PX, SAMPLE_SIZE_PX)
  return accentColors(context.getImageData(0, 0, SAMPLE_SIZE_PX, SAMPLE_SIZE_PX).data)
}
