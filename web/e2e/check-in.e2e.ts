import type { Page } from '@playwright/test'
import { imageUrl } from '../../scripts/demo/media'
import type { CheckInCode } from '../../worker/contract/check-in'
import type { Concert } from '../../worker/contract/concerts'
import { checkInCodeAt } from '../check-in/check-in-code'
import { startAdminSession } from './admin'
import { expectAccessible } from './expectations'
import { expect, test } from './fixtures'
import { getJson, openPage, postJson, waitForHydration } from './page'
import { confirmEmail, emailOf, newUsername, PASSWORD, signUpConfirmed } from './users'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** Creates a show that ended 30 minutes ago, so that check-in is open but it is not the next show; returns its id. */
async function createShow(page: Page, venue: string): Promise<string> {
  const startedAt = Date.now() - 150 * 60_000
  // A zone in which the show began at noon, so that it never crosses midnight.
  const utcOffsetHours = 12 - new Date(startedAt).getUTCHours()
  const localTime = (hours: number) => new Date(startedAt + (utcOffsetHours + hours) * 3_600_000).toISOString()
  const response = await postJson(page, '/api/admin/concerts', {
    date: localTime(0).slice(0, 10),
    startTime: localTime(0).slice(11, 16),
    endTime: localTime(2).slice(11, 16),
    // POSIX signs: Etc/GMT-3 is three hours ahead of UTC.
    timeZone: `Etc/GMT${utcOffsetHours < 0 ? '+' : '-'}${Math.abs(utcOffsetHours)}`,
    city: 'Any City',
    venue,
    address: '1 Any Street',
    priceCents: 0,
    ticketsAvailable: null,
    isSoldOut: false,
    hasVip: false,
    imageUrl: imageUrl('venue-4'),
    imageAlt: 'A hall.',
  })
  expect([response.status(), response.ok() ? '' : await response.text()]).toEqual([201, ''])
  return ((await response.json()) as { id: string }).id
}

/** Points of the check-ins in the user's ledger. */
const checkInPoints = async (page: Page) =>
  (await getJson<{ points: number }[]>(page, '/api/points/history'))
    .map(({ points }) => points)
    .filter((points) => points === 250)

test('checks in by code, and by scan after sign-up', async ({
  page,
  context,
  baseURL,
  newVisitor,
  expectConsoleError,
}) => {
  expectConsoleError(/ERR_INTERNET_DISCONNECTED/)
  expectConsoleError(/400.*\/check-in$/)
  await startAdminSession(page)
  const venue = newUsername('hall')
  const id = await createShow(page, venue)
  await page.clock.install()
  await openPage(page, `/admin/shows/${id}/door`)
  const doorCode = page.getByTestId('door-code')
  const shownCode = async () => ((await doorCode.textContent()) ?? '').replace(/\D/g, '')
  await expect(doorCode).toHaveText(/^\d{3} \d{3}$/)
  await expect(page.getByRole('img', { name: 'QR code of the door' })).toBeVisible()
  const checkInCount = page.getByText('In', { exact: true }).locator('xpath=following-sibling::dd')
  await expect(checkInCount).toHaveText('0')
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)

  const showUrl = `/shows/${(await getJson<Concert>(page, `/api/concerts/${id}`)).slug}`
  const checkInCode = await getJson<CheckInCode>(page, `/api/admin/concerts/${id}/check-in-code`)
  expect(checkInCode.code).toMatch(/^\d{6}$/)
  const currentStep = () => Math.floor(Date.now() / 30_000)

  const supporter = await newVisitor()
  await signUpConfirmed(supporter)
  await openPage(supporter, showUrl)
  const field = supporter.getByLabel('Code at the door')
  await field.fill(await checkInCodeAt(checkInCode.secret, currentStep() - 2))
  await supporter.getByRole('button', { name: 'Check in' }).click()
  await expect(supporter.getByText('That code is wrong or has expired.')).toBeVisible()
  await field.fill(await shownCode())
  await supporter.getByRole('button', { name: 'Check in' }).click()
  await expect(supporter.getByText('You are in')).toBeVisible()
  await expect(supporter.getByText('+250 points.')).toBeVisible()
  await supporter.reload()
  await expect(supporter.getByText(/You checked in on/)).toBeVisible()
  expect(await checkInPoints(supporter)).toEqual([250])
  await expect(checkInCount).toHaveText('1')

  await context.setOffline(true)
  const previousCode = await shownCode()
  await page.clock.fastForward(30_000)
  await expect(doorCode).not.toHaveText(`${previousCode.slice(0, 3)} ${previousCode.slice(3)}`)
  await expect(page.getByText(/No network\. Codes continue to change and work/)).toBeVisible()

  // The door page that shows this code is offline, and its clock is 30 seconds ahead.
  const visitor = await newVisitor()
  await openPage(visitor, `${showUrl}#code=${await shownCode()}`)
  await expect(visitor.getByText('You are here')).toBeVisible()
  expect(new URL(visitor.url()).hash).toBe('')
  await visitor.getByRole('main').getByRole('link', { name: 'Sign Up' }).click()
  const newcomer = newUsername('newcomer')
  await visitor.getByLabel('Username').fill(newcomer)
  await visitor.getByLabel('Email').fill(emailOf(newcomer))
  await visitor.getByLabel('Phone number').fill('(813) 555-0177')
  await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await visitor.getByLabel('Confirm password', { exact: true }).fill(PASSWORD)
  await visitor.getByRole('button', { name: 'Sign Up', exact: true }).click()
  await expect(visitor).toHaveURL(showUrl)
  await expect(visitor.getByText(/Your scan is saved\. Confirm your email/)).toBeVisible()
  await confirmEmail(visitor, newcomer)
  await visitor.reload()
  await expect(visitor.getByText('You are in')).toBeVisible()
  await waitForHydration(visitor)
  expect(await checkInPoints(visitor)).toEqual([250])

  await context.setOffline(false)
  await expect(checkInCount).toHaveText('2')
  await page.request.delete(`/api/admin/concerts/${id}`, { headers: { origin: baseURL ?? '' } })
})
