import { env } from 'cloudflare:test'
import { beforeAll, expect, test } from 'vitest'
import { send } from '../testing/client'
import { NOON, seedSite } from '../testing/seed'

beforeAll(async () => {
  await seedSite(env.DB)
  // `site:init` leaves these tables empty.
  for (const table of ['product_images', 'product_variants', 'products', 'concerts', 'legal_texts'])
    await env.DB.prepare(`DELETE FROM ${table}`).run()
})

const FILE_PATH = /^\/(assets|media|api)\/|\.\w+$/

test('every link of an empty site leads to a page', async () => {
  const pages = new Map<string, { status: number; html: string }>()
  const fragmentTargets = new Set<string>()
  // Grows in the loop below, by the pages that are linked.
  const paths = ['/', '/challenge', '/community', '/hub/exclusive', '/hub/missions', '/music']
  for (const path of paths) {
    const response = await send('GET', path, undefined, { at: NOON })
    const html = await response.text()
    pages.set(path, { status: response.status, html })
    for (const [, href = ''] of html.matchAll(/<a\s[^>]*?href="(\/[^"]*)"/g)) {
      const { pathname, hash } = new URL(href, 'https://fan.example')
      if (FILE_PATH.test(pathname)) continue
      if (hash !== '') fragmentTargets.add(pathname + hash)
      if (!paths.includes(pathname)) paths.push(pathname)
    }
  }
  expect([...pages].filter(([, { status }]) => status !== 200).map(([path]) => path)).toEqual([])
  expect([...pages.keys()]).toEqual(expect.arrayContaining(['/merch', '/shows', '/subscribe', '/hub', '/account']))
  const missing = [...fragmentTargets].filter((target) => {
    const [path = '', id] = target.split('#')
    return !pages.get(path)?.html.includes(` id="${id}"`)
  })
  expect(missing).toEqual([])
})
