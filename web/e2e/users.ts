import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from './expectations'
import { open } from './home'

export const PASSWORD = 'four quiet gulls over water'

/** A username unique to this run. */
export const newUsername = (role: string) => `${role}-${randomUUID().slice(0, 8)}`
export const emailOf = (name: string) => `${name}@mail.example`

/** Signs up through the API; returns the username. */
export async function signUp(page: Page, baseURL: string | undefined, role: string): Promise<string> {
  const username = newUsername(role)
  const response = await page.request.post('/api/auth/signup', {
    headers: { origin: baseURL ?? '' },
    data: { username, email: emailOf(username), password: PASSWORD },
  })
  expect([response.status(), await response.text()]).toEqual([201, expect.stringContaining(username)])
  return username
}

export async function logIn(page: Page, username: string, password: string): Promise<void> {
  if (!page.url().includes('/login')) await open(page, '/login')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}
