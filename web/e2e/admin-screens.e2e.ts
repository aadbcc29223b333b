import type { Page } from '@playwright/test'
import { ADMIN_SCREENS } from '../../worker/contract/admin-screens'
import { dashboardNav, goToScreen, openScreen, startAdminSession } from './admin'
import { expectAccessible, expectAccessibleInLongRun } from './expectations'
import { expect, tagsAt, test } from './fixtures'
import { getJson, openPage, originOf, postJson } from './page'

/** The screens that do not show a single record. */
const screens = ADMIN_SCREENS.filter(({ path }) => !path.includes(':'))
const navLabels = ADMIN_SCREENS.flatMap((screen) => ('group' in screen ? [screen.label] : []))

test('each screen has its heading and no public navigation', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  await openScreen(page, '')
  await expect(dashboardNav(page).getByRole('link')).toContainText(navLabels)
  for (const name of ['Overview', 'Music', 'Merchandise', 'Concerts', 'Supporters', 'Verse Challenge']) {
    await dashboardNav(page).getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(`^${name} \\| `))
  }
  for (const name of ['Sections', 'Menu', 'Quick navigation'])
    await expect(page.getByRole('navigation', { name })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Sign Up / Login' })).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Supporters' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Supporters' })).toBeVisible()
})

/** Horizontal overflow of the page in pixels. */
const overflowPx = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('screens fit a phone', { tag: ['@phone', '@axe'] }, async ({ page }) => {
  await openScreen(page, '')
  const bar = page.getByRole('navigation', { name: 'Quick navigation' })
  await expect(bar.getByRole('listitem')).toHaveText(['Home', 'Orders', 'Door', 'Post', 'More'])
  await bar.getByRole('link', { name: 'Orders' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Orders' })).toBeVisible()
  await bar.getByRole('button', { name: 'More' }).click()
  await expectAccessible(page)
  await dashboardNav(page).getByRole('link', { name: 'Polls' }).click()
  await expect(page).toHaveURL('/admin/polls')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const { id, label, path } of screens)
    await test.step(id, async () => {
      await goToScreen(page, path, label)
      await expect.poll(() => overflowPx(page)).toBeLessThanOrEqual(0)
      await expectAccessibleInLongRun(page)
    })
})

/** Whether `npm test` checks the screen at both widths. These are the overview, a list and a form. */
const isRepresentative = ({ id }: (typeof screens)[number]) => ['home', 'orders', 'site'].includes(id)
const otherScreens = screens.filter((screen) => !isRepresentative(screen))
const half = Math.ceil(otherScreens.length / 2)
const SCREEN_GROUPS = [
  { name: 'home, orders, site', group: screens.filter(isRepresentative) },
  { name: 'other screens 1', group: otherScreens.slice(0, half) },
  { name: 'other screens 2', group: otherScreens.slice(half) },
]

for (const { name, group } of SCREEN_GROUPS)
  test(`${name} fit and meet WCAG at both widths`, {
    tag: tagsAt('@desktop', group.some(isRepresentative)),
  }, async ({ page, viewport }) => {
    await openScreen(page, '')
    for (const { id, label, path } of group)
      await test.step(id, async () => {
        await page.setViewportSize(viewport ?? { width: 1440, height: 900 })
        await goToScreen(page, path, label)
        await expectAccessible(page)
        await page.setViewportSize({ width: 390, height: 844 })
        await expect.poll(() => overflowPx(page)).toBeLessThanOrEqual(0)
        await expectAccessible(page)
      })
  })

type RecordScreen = Extract<(typeof ADMIN_SCREENS)[number], { path: `${string}:${string}` }>

/** The id of the first record at an API path, or of the first wanted one. */
const firstId = async (page: Page, path: string, isWanted: (row: Record<string, unknown>) => boolean = () => true) => {
  const row = (await getJson<Record<string, unknown>[]>(page, path)).find(isWanted)
  expect(row, `a record in ${path}`).toBeDefined()
  return String(row?.id)
}
const FINISHED_CHALLENGE_ID = 'gold-open-verse-2025'

/** For each screen of a single record, finds or creates a record; returns its id. */
const RECORD_ID_FINDERS: Readonly<Record<RecordScreen['id'], (page: Page) => Promise<string>>> = {
  release: (page) => firstId(page, '/api/admin/releases'),
  track: (page) => firstId(page, '/api/admin/tracks'),
  challengeSteps: async () => FINISHED_CHALLENGE_ID,
  listening: async () => FINISHED_CHALLENGE_ID,
  finalists: async () => FINISHED_CHALLENGE_ID,
  order: (page) => firstId(page, '/api/admin/orders'),
  customer: (page) => firstId(page, '/api/admin/orders', ({ username, email }) => username === null && email !== null),
  supporter: (page) => firstId(page, '/api/admin/supporters'),
  inquiry: async (page) => {
    const inquiry = { email: 'screens@mail.example', kind: 'access', message: 'What do you store about me?' }
    await postJson(page, '/api/privacy/inquiries', inquiry)
    return firstId(page, '/api/admin/privacy/inquiries', ({ answeredAt }) => answeredAt === null)
  },
  broadcast: (page) => firstId(page, '/api/admin/broadcasts'),
  import: async (page) => {
    const headers = { origin: originOf(page), 'content-type': 'text/csv' }
    const data = Buffer.from('Fan,Mail\nZoë Ortega,zoe.screen@fan.example\n')
    const response = await page.request.post('/api/admin/imports?name=screens.csv', { headers, data })
    return ((await response.json()) as { id: string }).id
  },
  webhook: async (page) => {
    const draft = { url: 'https://receiver.example/in', events: ['release.published'] }
    const added = await postJson(page, '/api/admin/webhooks', draft)
    return ((await added.json()) as { id: string }).id
  },
}
const recordScreens: readonly RecordScreen[] = ADMIN_SCREENS.filter((screen) => screen.path.includes(':')) as never

for (const { id, path } of recordScreens)
  test(`the screen ${id} fits and meets WCAG at both widths`, {
    tag: tagsAt('@desktop', id === 'order'),
  }, async ({ page }) => {
    await startAdminSession(page)
    await openScreen(
      page,
      path.replace(/:\w+/, encodeURIComponent(await RECORD_ID_FINDERS[id](page))).slice('/admin/'.length),
    )
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(main.getByText(/could not be loaded/)).toHaveCount(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => overflowPx(page)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })

test('an admin answers a privacy inquiry by email', { tag: ['@desktop', '@long'] }, async ({ page }) => {
  const question = `What do you keep about me? (${Date.now()})`
  const inquiry = { email: 'asker@mail.example', kind: 'access', message: question }
  expect((await postJson(page, '/api/privacy/inquiries', inquiry)).ok()).toBe(true)
  await openScreen(page, 'privacy')
  await page.getByRole('row').filter({ hasText: question }).getByRole('link', { name: 'Answer' }).click()
  await expect(page).toHaveURL(/\/admin\/privacy\/inquiry_/)
  await expect(page.getByLabel('Your answer')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('Your address, and that you asked.')
  await page.getByRole('button', { name: 'Send the answer' }).click()
  await expect(page.getByRole('region', { name: 'History' })).toContainText('answered it')
  await page.getByRole('link', { name: 'Back to Privacy' }).click()
  await expect(page.getByRole('row').filter({ hasText: question })).toContainText('Answered')

  await openPage(page, '/demo/mailbox')
  await expect(page.getByText('The answer to your privacy inquiry').first()).toBeVisible()
})
