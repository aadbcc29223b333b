import { join } from 'node:path'
import { type BrowserContext, chromium } from '@playwright/test'
import sharp from 'sharp'
import type { ScreenId } from '../worker/contract/admin-screens.ts'
import type { Import } from '../worker/contract/imports.ts'
import { CHROMIUM_ARGS, findBrowser } from './tools/browser.ts'
import { GUIDE_SCREENS, screenshotFile } from './tools/guide-screens.ts'
import { importWorkerCode } from './tools/worker-code.ts'

// `npm run docs:screens`: takes the screenshots for the README and the admin guide from a fresh demo
// (`npm start`) on $PORT. `-- home-page live orders` takes only these.

const ORIGIN = `http://localhost:${process.env.PORT ?? 8787}`
const FOLDER = join('docs', 'screens')
const BACKGROUND_COLOR = '#0b0a08'
const GAP_PX = 18

/** A page at a viewport, scaled to `widthInImage`; with `selector` one of its elements at full height. */
type View = { path: string; width: number; height: number; widthInImage: number; selector?: string }

const DEVICES = {
  desktop: { width: 1280, height: 860, widthInImage: 960 },
  phone: { width: 390, height: 844, widthInImage: 390 },
}

/** A file as Mailchimp exports it; the screenshot shows its dry run. */
const IMPORTED_FILE = [
  'Email Address,First Name,Last Name,OPTIN_TIME,CONFIRM_TIME,LEID',
  ...['Ada Marsh', 'Bo Delgado', 'Cleo Okafor', 'Dev Park'].map((name, i) => {
    const [first, last] = name.split(' ')
    return `${first?.toLowerCase()}@mail.example,${first},${last},2024-03-0${i + 1} 17:13:05,2024-03-0${i + 1} 17:20:00,${i}`
  }),
  'not an address,Eli,Stone,2024-03-05 17:13:05,2024-03-05 17:20:00,5',
  'fay@mail.example,Fay,Lund,,2024-03-06 17:20:00,6',
].join('\n')

const { ADMIN_SCREENS } = await importWorkerCode<typeof import('../worker/contract/admin-screens')>(
  './worker/contract/admin-screens.ts',
)
const wantedNames = process.argv.slice(2)
const isWanted = (name: string) => wantedNames.length === 0 || wantedNames.includes(name)

const browser = await chromium.launch({ executablePath: await findBrowser(), args: CHROMIUM_ARGS })
try {
  const visitor = await openContext()
  if (isWanted('home-page'))
    await writeImage(visitor, 'home.webp', [
      { path: '/', width: 1440, height: 1216, widthInImage: 1000 },
      { path: '/', ...DEVICES.phone },
    ])
  if (isWanted('live'))
    await writeImage(visitor, 'live.webp', [
      { path: '/#concerts', width: 1440, height: 1200, widthInImage: 1000, selector: '#concerts' },
    ])
  const owner = await openContext()
  await logIn(owner)
  for (const { id, device } of GUIDE_SCREENS)
    if (isWanted(id))
      await writeImage(owner, screenshotFile(id), [{ path: await preparePath(owner, id), ...DEVICES[device] }])
} finally {
  await browser.close()
}

function openContext(): Promise<BrowserContext> {
  return browser.newContext({ reducedMotion: 'reduce', timezoneId: 'America/New_York', locale: 'en-US' })
}

/** Opens an admin session with the demo's login. */
async function logIn({ request }: BrowserContext): Promise<void> {
  const { demoAdmin } = (await (await request.get(`${ORIGIN}/api/config`)).json()) as { demoAdmin: object | null }
  const response = await request.post(`${ORIGIN}/api/admin/login`, {
    headers: { origin: ORIGIN },
    data: demoAdmin ?? {},
  })
  if (!response.ok()) throw new Error(`The demo's login failed: ${await response.text()}`)
}

/** The path of a screen. For the import screen, first uploads a file to show. */
async function preparePath(context: BrowserContext, id: ScreenId): Promise<string> {
  const path = ADMIN_SCREENS.find((screen) => screen.id === id)?.path ?? ''
  return id === 'import' ? path.replace(':id', await dryRunImport(context)) : path
}

/** Uploads a file and waits for its dry run; returns the import's id. */
async function dryRunImport({ request }: BrowserContext): Promise<string> {
  const api = `${ORIGIN}/api/admin/imports`
  const headers = { origin: ORIGIN }
  const upload = await request.post(`${api}?name=mailchimp-audience.csv`, {
    headers: { ...headers, 'content-type': 'text/csv' },
    data: IMPORTED_FILE,
  })
  const { id, kind, mapping } = (await upload.json()) as Import
  await request.post(`${api}/${id}/check`, { headers, data: { kind, mapping, consentAttested: true } })
  for (let attempt = 0; attempt < 60; attempt++) {
    const { state } = (await (await request.get(`${api}/${id}`)).json()) as Import
    if (state === 'checked') return id
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('The dry run of the import did not finish.')
}

/** Writes the views side by side as one WebP. */
async function writeImage(context: BrowserContext, name: string, views: readonly View[]): Promise<void> {
  const layers = []
  let width = 0
  let height = 0
  for (const view of views) {
    const input = await takeScreenshot(context, view)
    const size = await sharp(input).metadata()
    layers.push({ input, top: 0, left: width })
    width += size.width + GAP_PX
    height = Math.max(height, size.height)
  }
  const file = join(FOLDER, name)
  const { size } = await sharp({ create: { width: width - GAP_PX, height, channels: 3, background: BACKGROUND_COLOR } })
    .composite(layers)
    .webp({ quality: 78 })
    .toFile(file)
  console.log(`${file}: ${Math.round(size / 1024)} KB`)
}

async function takeScreenshot(
  context: BrowserContext,
  { path, width, height, widthInImage, selector }: View,
): Promise<Buffer> {
  const page = await context.newPage()
  try {
    await page.setViewportSize({ width, height })
    await page.goto(ORIGIN + path, { waitUntil: 'networkidle' })
    await page.evaluate(() => document.fonts.ready)
    const target = selector ? page.locator(selector) : page
    return await sharp(await target.screenshot({ animations: 'disabled' }))
      .resize(widthInImage)
      .png()
      .toBuffer()
  } finally {
    await page.close()
  }
}
