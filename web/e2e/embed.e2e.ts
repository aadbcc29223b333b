import { createServer } from 'node:http'
import { listenOnLoopback } from '../../scripts/tools/ports'
import type { Oembed, ReleaseSummary } from '../../worker/contract/releases'
import { expect, tagsAt, test } from './fixtures'
import { getJson, openPage } from './page'

for (const kind of ['album', 'single'])
  test(`an embedded ${kind} plays in another site’s sandboxed frame`, {
    tag: tagsAt('@desktop', kind === 'album'),
  }, async ({ page, baseURL }) => {
    await openPage(page)
    const releases = await getJson<ReleaseSummary[]>(page, '/api/releases')
    const release = releases.find((each) => each.kind === kind)
    const url = encodeURIComponent(`${baseURL}/music/${release?.slug}`)
    const embed = await getJson<Oembed>(page, `/api/oembed?url=${url}`)
    const otherSite = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><title>Elsewhere</title><h1>Record of the week</h1>${embed.html}`)
    })
    const { url: otherUrl, close } = await listenOnLoopback(otherSite)
    // The tests' extra header would cause a preflight request.
    await page.context().setExtraHTTPHeaders({})
    try {
      await page.goto(otherUrl)
      const player = page.frameLocator('iframe')
      await expect(player.getByRole('heading', { name: release?.title })).toBeVisible()
      const cover = player.locator('main img')
      await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

      const firstTrack = player.locator('button[data-id]').first()
      // A short track is reported after half of its length.
      await firstTrack.evaluate((button) => button.setAttribute('data-seconds', '2'))
      const report = page.waitForRequest(/\/api\/embed\/stream$/)
      await player.getByRole('button', { name: 'Play', exact: true }).click()
      await expect(player.getByRole('button', { name: 'Pause', exact: true })).toBeVisible()
      await expect(player.locator('#time')).toHaveText(/^0:(0[1-9]|[1-5]\d)$/)
      const request = await report
      expect(request.postDataJSON()).toEqual({
        trackId: Number(await firstTrack.getAttribute('data-id')),
        listen: expect.stringMatching(/^\d+\.\d+\.n[\w-]{43}\.open\./),
      })
      const headers = await request.allHeaders()
      expect([headers.origin, headers.cookie]).toEqual(['null', undefined])
      expect((await request.response())?.status()).toBe(202)
      expect(await page.context().cookies()).not.toContainEqual(expect.objectContaining({ name: /listen/ }))
    } finally {
      await close()
    }
  })

test('an embedded track starts at the position in its URL', { tag: '@desktop' }, async ({ page }) => {
  await page.context().setExtraHTTPHeaders({})
  await page.goto('/embed/gilt-tide/gilt-tide?t=20')
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  await expect(page.locator('#time')).toHaveText(/^0:2\d$/)
})
