import type { Page } from '@playwright/test'
import type { Metrics } from '../../worker/contract/metrics'
import type { AdminOrder } from '../../worker/contract/orders'
import { startAdminSession } from './admin'
import { ADMIN_TASKS, countSteps } from './count-steps'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { startIsolatedServer } from './isolated-server'
import { getJson, openPage, postJson } from './page'
import { signUp, signUpConfirmed } from './users'
import { submitVerse } from './verses'

const CHALLENGE = { id: 'gold-open-verse-next', title: 'Gold Open Verse Challenge: Second Half' }
const COMPARED_TASKS = Object.values(ADMIN_TASKS).filter(({ before }) => before !== null)
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Posts to the API and expects success. */
async function postSuccessfully(page: Page, path: string, data: object): Promise<void> {
  const response = await postJson(page, path, data)
  expect([path, response.ok() ? '' : await response.text()]).toEqual([path, ''])
}

/** Creates a reported post, a privacy inquiry and two verses of a challenge whose submissions are closed. */
async function prepareTasks(supporter: Page, otherSupporter: Page, admin: Page): Promise<{ supporterName: string }> {
  for (const page of [supporter, otherSupporter]) await openPage(page, '/login')
  const supporterName = await signUpConfirmed(supporter)
  await signUp(otherSupporter)
  await postSuccessfully(supporter, '/api/community/posts', { text: 'Cheap watches at watches.example' })
  const [reported] = await getJson<{ id: string }[]>(supporter, '/api/community/posts')
  await postSuccessfully(otherSupporter, `/api/community/posts/${reported?.id}/report`, { reason: 'Spam' })
  await postSuccessfully(supporter, '/api/privacy/inquiries', {
    email: 'asker@mail.example',
    kind: 'access',
    message: 'What do you store about me?',
  })
  for (const [name, page] of [
    ['Low Tide', supporter],
    ['High Water', otherSupporter],
  ] as const)
    await submitVerse(page, CHALLENGE.id, name, `${name.replace(' ', '.').toLowerCase()}@mail.example`)
  await openPage(admin, '/admin-login')
  await startAdminSession(admin)
  await postSuccessfully(admin, `/api/admin/challenges/${CHALLENGE.id}/move`, { from: 'submissions' })
  await openPage(admin, '/admin')
  return { supporterName }
}

for (const width of ['@desktop', '@phone'] as const)
  test(`tasks together take at most half the former steps on ${width.slice(1)}`, {
    tag: [width, '@long'],
  }, async ({ newVisitor, viewport, isMobile, hasTouch }) => {
    for (const { before, now } of COMPARED_TASKS) expect(now).toBeLessThan(before ?? 0)
    expect(sum(COMPARED_TASKS.map(({ now }) => now))).toBeLessThanOrEqual(
      sum(COMPARED_TASKS.map(({ before }) => before ?? 0)) / 2,
    )

    const server = await startIsolatedServer({})
    try {
      const baseURL = server.origin
      const page = await newVisitor({ baseURL, viewport, isMobile, hasTouch })
      const { supporterName } = await prepareTasks(await newVisitor({ baseURL }), await newVisitor({ baseURL }), page)
      const main = page.getByRole('main')
      /** Opens the dashboard's first page, where each task starts; returns a new counter of steps. */
      const startTask = async () => {
        await openPage(page, '/admin')
        await expect(main.getByRole('heading').first()).toBeVisible()
        return countSteps(page)
      }

      await test.step('pack an order', async () => {
        const steps = await startTask()
        await steps.click(main.getByRole('link', { name: /^Pack the orders/ }))
        await expect(main.getByLabel('Ship to')).toContainText('Any Street')
        await steps.fill(main.getByLabel('Tracking'), '9400 1000 0000')
        await steps.click(main.getByRole('button', { name: 'Packed and shipped, next' }))
        await expect(main.getByText(/^Order 2 of/)).toBeVisible()
        steps.expectCount('pack an order')
        const shipped = await getJson<AdminOrder[]>(page, '/api/admin/orders?fulfilment=shipped&tab=all')
        expect(shipped.map(({ tracking }) => tracking)).toContain('9400 1000 0000')
      })

      await test.step('answer an inquiry', async () => {
        const steps = await startTask()
        await steps.click(main.getByRole('link', { name: /^Answer the inquiries/ }))
        await expect(main.getByLabel('Your answer')).toHaveValue(/You asked what we store about you/)
        await steps.click(main.getByRole('button', { name: 'Send the answer' }))
        await expectToast(page, 'Answer sent', /^It is on its way to /)
        steps.expectCount('answer an inquiry')
      })

      await test.step('publish a show', async () => {
        const steps = await startTask()
        await steps.click(main.getByRole('link', { name: 'Add a show' }))
        const dialog = page.getByRole('dialog')
        await steps.fill(dialog.getByLabel('Date'), `${new Date().getFullYear() + 1}-02-05`)
        await steps.fill(dialog.getByLabel('Venue', { exact: true }), 'Ruby Room, 100 Main St, Ocala, FL 34470')
        await steps.click(dialog.getByRole('button', { name: 'Save' }))
        await expectToast(page, 'Saved', 'It is on the site.')
        steps.expectCount('publish a show')
        const shows = await getJson<{ venue: string; city: string; imageUrl: string }[]>(page, '/api/concerts')
        expect(shows).toContainEqual(
          expect.objectContaining({ venue: 'Ruby Room', city: 'Ocala', imageUrl: expect.stringMatching(/^\/media\//) }),
        )
      })

      /** Opens the command palette; returns its search field. */
      const openPalette = async (steps: ReturnType<typeof countSteps>) => {
        if (isMobile) await steps.click(page.getByRole('banner').getByRole('button', { name: 'Search' }))
        else await steps.press('Control+k')
        return page.getByRole('combobox', { name: 'Search the dashboard' })
      }
      const foundSupporter = page.getByRole('option', { name: supporterName })

      await test.step('find a supporter by half a name', async () => {
        const steps = await startTask()
        await steps.fill(await openPalette(steps), supporterName.slice(2, 9))
        await expect(foundSupporter).toContainText(/@mail\.example, Bronze, \d+ points/)
        await expect(foundSupporter).not.toContainText(`${supporterName}@`)
        steps.expectCount('find a supporter by half a name')
      })

      await test.step('hide a post', async () => {
        const steps = await startTask()
        await steps.click(main.getByRole('link', { name: /^Review the reports/ }))
        await expect(page.getByRole('dialog')).toContainText(/Cheap watches.*Reported for: Spam/s)
        await steps.click(page.getByRole('button', { name: 'Hide the post' }))
        await expectToast(page, 'Post hidden')
        steps.expectCount('hide a post')
        expect(await getJson<object[]>(page, '/api/admin/community/posts?tab=reported')).toEqual([])
      })

      await test.step('read last month’s revenue', async () => {
        const steps = await startTask()
        await steps.click(main.getByRole('button', { name: 'Last month' }))
        await expect(page).toHaveURL(/from=\d{4}-\d\d-01&to=/)
        const { days } = await getJson<Metrics>(page, `/api/admin/metrics${new URL(page.url()).search}`)
        const revenue = sum(days.map(({ revenueCents }) => revenueCents)) / 100
        const text = revenue.toLocaleString('en-US', { style: 'currency', currency: 'USD' })
        await expect(main.getByRole('figure', { name: /^Revenue/ })).toContainText(text)
        expect(revenue).toBeGreaterThan(0)
        steps.expectCount('read last month’s revenue')
      })

      await test.step('pick two finalists', async () => {
        const steps = await startTask()
        await steps.click(main.getByRole('link', { name: new RegExp(`^Name the finalists ?: ${CHALLENGE.title}`) }))
        const verse = (name: string) => page.getByRole('article', { name })
        await expect(verse('Low Tide')).toBeVisible()
        await steps.press('f')
        await expect(verse('High Water')).toBeVisible()
        await steps.press('f')
        await expect(verse('High Water').getByText('A finalist, as High Water.')).toBeVisible()
        steps.expectCount('pick two finalists')
      })

      await test.step('export the supporters', async () => {
        const steps = await startTask()
        const download = page.waitForEvent('download')
        await steps.click(main.getByRole('button', { name: 'Export supporters' }))
        expect((await download).suggestedFilename()).toMatch(/^supporters.*\.csv$/)
        steps.expectCount('export the supporters')
      })

      await test.step('give points', async () => {
        const steps = await startTask()
        await steps.fill(await openPalette(steps), supporterName.slice(2, 9))
        await expect(foundSupporter).toBeVisible()
        await steps.press('Enter')
        await steps.click(main.getByRole('button', { name: 'Adjust points' }))
        const dialog = page.getByRole('dialog')
        await steps.fill(dialog.getByLabel('Points'), '50')
        await steps.fill(dialog.getByLabel('Reason'), 'Helped at the merch table')
        await steps.click(dialog.getByRole('button', { name: 'Adjust points' }))
        await expectToast(page, 'Points adjusted', new RegExp(`^${supporterName} now has`))
        steps.expectCount('give points')
      })

      await test.step('send a broadcast', async () => {
        const steps = await startTask()
        await steps.click(main.getByRole('link', { name: 'Write a broadcast' }))
        await steps.fill(main.getByLabel('Subject', { exact: true }), 'See you in Ocala')
        await steps.fill(main.getByLabel('Text', { exact: true }), 'Doors open at eight.')
        await steps.click(main.getByRole('button', { name: 'Send', exact: true }))
        await steps.click(page.getByRole('button', { name: 'Send it' }))
        await expectToast(page, 'On its way')
        steps.expectCount('send a broadcast')
      })
    } finally {
      server.close()
    }
  })
