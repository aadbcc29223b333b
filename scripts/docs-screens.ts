import { join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { CHROMIUM_ARGS, findBrowser } from './tools/browser.ts'

// `npm run docs:screens`: takes the README's screenshots of a fresh demo (`npm start`) on $PORT.

const ORIGIN = `http://localhost:${process.env.PORT ?? 8787}`
const FOLDER = join('docs', 'screens')
const BACKGROUND_COLOR = '#0b0a08'
const GAP_PX = 18

/** A page at a viewport size, scaled to `widthInImage`. With `selector`, one element of the page at full height. */
type View = { path: string; width: number; height: number; widthInImage: number; selector?: string }

const browser = await chromium.launch({ executablePath: await findBrowser(), args: CHROMIUM_ARGS })
try {
  await writeImage('home', [
    { path: '/', width: 1440, height: 1216, widthInImage: 1000 },
    { path: '/', width: 390, height: 844, widthInImage: 390 },
  ])
  await writeImage('live', [
    { path: '/#concerts', width: 1440, height: 1200, widthInImage: 1000, selector: '#concerts' },
  ])
} finally {
  await browser.close()
}

/** Writes the views side by side as one WebP. */
async function writeImage(name: string, views: readonly View[]): Promise<void> {
  const layers = []
  let width = 0
  let height = 0
  for (const view of views) {
    const input = await screenshot(view)
    const size = await sharp(input).metadata()
    layers.push({ input, top: 0, left: width })
    width += size.width + GAP_PX
    height = Math.max(height, size.height)
  }
  const file = join(FOLDER, `${name}.webp`)
  const { size } = await sharp({ create: { width: width - GAP_PX, height, channels: 3, background: BACKGROUND_COLOR } })
    .composite(layers)
    .webp({ quality: 78 })
    .toFile(file)
  console.log(`${file}: ${Math.round(size / 1024)} KB`)
}

async function screenshot({ path, width, height, widthInImage, selector }: View): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' })
  await page.goto(ORIGIN + path, { waitUntil: 'networkidle' })
  await page.evaluate(() => document.fonts.ready)
  const target = selector ? page.locator(selector) : page
  return sharp(await target.screenshot({ animations: 'disabled' }))
    .resize(widthInImage)
    .png()
    .toBuffer()
}
