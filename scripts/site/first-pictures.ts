import sharp from 'sharp'
import { HERO_IMAGE } from '../../worker/contract/images.ts'

export type FirstPicture = { key: string; bytes: Buffer; contentType: string }

const GROUND = '#0b0a08'

/** A grooved golden disc that rises from the lower right: nobody's portrait, until the desk has one. */
function drawing(width: number, height: number, { x, y, radius }: { x: number; y: number; radius: number }): Buffer {
  const grooves = Array.from({ length: 18 }, (_, i) => {
    const r = radius * (0.34 + i * 0.036)
    return `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${GROUND}" stroke-opacity="0.35" stroke-width="${radius / 160}"/>`
  })
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="foil" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#8a6420"/><stop offset=".4" stop-color="#f3dc8f"/>
    <stop offset=".6" stop-color="#d9b256"/><stop offset="1" stop-color="#7d5a1c"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="${GROUND}"/><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#foil)"/>${grooves.join('')}
    <circle cx="${x}" cy="${y}" r="${radius * 0.05}" fill="${GROUND}"/></svg>`)
}

/** The pictures that a site has before it has any, in the widths that its pages ask for. */
export async function firstPictures(): Promise<FirstPicture[]> {
  const { landscape, portrait } = HERO_IMAGE
  const wide = drawing(landscape.width, landscape.height, { x: 1800, y: 800, radius: 620 })
  const tall = drawing(portrait.width, portrait.height, { x: 640, y: 900, radius: 470 })
  const icon = drawing(512, 512, { x: 256, y: 256, radius: 240 })
  const webp = async (name: string, svg: Buffer, width?: number): Promise<FirstPicture> => ({
    key: `house/${name}.webp${width ? `@${width}` : ''}`,
    bytes: await sharp(svg).resize(width).webp({ quality: 72 }).toBuffer(),
    contentType: 'image/webp',
  })
  const png = async (name: string, svg: Buffer): Promise<FirstPicture> => ({
    key: `house/${name}.png`,
    bytes: await sharp(svg).png({ palette: true }).toBuffer(),
    contentType: 'image/png',
  })
  return Promise.all([
    webp('hero', wide),
    ...landscape.widths.map((width) => webp('hero', wide, width)),
    webp('hero-portrait', tall),
    ...portrait.widths.map((width) => webp('hero-portrait', tall, width)),
    png('share', drawing(1200, 630, { x: 860, y: 360, radius: 270 })),
    png('icon', icon),
    png('icon-maskable', drawing(512, 512, { x: 256, y: 256, radius: 180 })),
  ])
}
