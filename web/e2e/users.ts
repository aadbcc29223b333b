import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from './expectations'
import { getJson, openFullHomePage, openPage, postJson, waitForRequests } from './page'

export const PASSWORD = 'four quiet gulls over water'
export const NEW_PASSWORD = 'eleven paper boats at noon'

/** A username unique to this run. */
export const newUsername = (prefix: string) => `${prefix}-${randomUUID().slice(0, 8)}`
export const emailOf = (name: string) => `${name}@mail.example`

/** Signs up a supporter through the API and logs the page in; returns the username. The email is unconfirmed. */
export async function signUp(page: Page, prefix = 'fan'): Promise<string> {
  const username = newUsername(prefix)
  const response = await postJson(page, '/api/auth/signup', { username, email: emailOf(username), password: PASSWORD })
  expect([response.status(), await response.text()]).toEqual([201, expect.stringContaining(username)])
  return username
}

/** Waits for an email to the address with a link that contains `path`; returns the link of the newest one. */
export async function emailedLink(page: Page, email: string, path: string): Promise<string> {
  let link: string | undefined
  const readLink = async () => {
    const emails = await getJson<{ to: string; text: string }[]>(page, '/api/demo/outbox')
    const text = emails.find(({ to, text }) => to === email && text.includes(path))?.text
    link = text?.match(/https?:\S+/g)?.find((url) => url.includes(path))
    return link
  }
  await expect.poll(readLink, `a link to ${path} for ${email}`).toBeTruthy()
  return link ?? ''
}

/** Confirms the email of this browser's account through the API. */
export async function confirmEmail(page: Page, username: string): Promise<void> {
  const link = await emailedLink(page, emailOf(username), '/verify-email?token=')
  const token = new URL(link).searchParams.get('token')
  expect((await postJson(page, '/api/auth/email/verify', { token })).status()).toBe(200)
}

/** Signs up a supporter with a confirmed email; returns the username. */
export async function signUpConfirmed(page: Page): Promise<string> {
  const username = await signUp(page)
  await confirmEmail(page, username)
  return username
}

/** Signs up a confirmed supporter and opens the home page with the hub; returns the username. */
export async function openHomeAsSupporter(page: Page): Promise<string> {
  const username = await signUpConfirmed(page)
  await openFullHomePage(page)
  await expect(page.getByRole('tab', { name: 'Dashboard' })).toBeVisible()
  return username
}

/** Logs in through the API; returns the HTTP status. */
export const logInByApi = async (page: Page, username: string, password: string): Promise<number> =>
  (await postJson(page, '/api/auth/login', { username, password })).status()

/** Logs in on the login page. */
export async function logIn(page: Page, username: string, password: string): Promise<void> {
  if (!page.url().includes('/login')) await openPage(page, '/login')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

/** Waits until /account has loaded, because its requests would fail once the session ends. */
export async function expectAccountLoaded(page: Page): Promise<void> {
  await expect(page.getByText('No orders yet. What you buy')).toBeVisible()
  await expect(page.getByText('Loading your passkeys')).toBeHidden()
  await waitForRequests(page)
}

/** The points total in the navigation. */
export const pointsTotal = (page: Page) => page.getByRole('banner').getByText('Your points:').locator('..')
