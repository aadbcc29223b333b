import type { Locator, Page } from '@playwright/test'
import type { Discount } from '../../worker/contract/discounts'
import { dashboardNav, expectDashboard, startAdminSession } from './admin'
import { expectToast } from './expectations'
import { expect, test } from './fixtures'
import { getJson, openPage, originOf, postJson, waitForRequests } from './page'

const MAX_TAB_PRESSES = 90

/** Presses Tab, or Shift-Tab, until the control has the focus. */
async function tabTo(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(control).toBeVisible()
  for (let count = 0; count < MAX_TAB_PRESSES; count++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  await expect(control, `reached by ${key}`).toBeFocused()
}

/** Tabs to the control and presses Enter. */
async function pressEnterOn(page: Page, control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await tabTo(page, control, key)
  await page.keyboard.press('Enter')
}

/** Goes to a screen with the command palette. */
async function jumpTo(page: Page, screen: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search the dashboard' })).toBeFocused()
  await page.keyboard.type(screen)
  await page.keyboard.press('Enter')
  await expect(heading(page, screen)).toBeVisible()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('the dashboard works by keyboard alone', { tag: ['@desktop', '@long'] }, async ({ page, expectConsoleError }) => {
  // The page's save fails with 409 after another save of the same discount.
  expectConsoleError(/Failed to load resource.*409/)
  const prefix = `KEYS${Date.now() % 100_000}`
  const draft = {
    kind: 'percent',
    percent: 10,
    amountCents: null,
    minimumCents: 0,
    productIds: [],
    tier: null,
    startsAt: null,
    endsAt: null,
    maxUses: null,
    maxUsesPerPerson: null,
  }
  await openPage(page, '/admin-login')
  await startAdminSession(page)
  for (const letter of ['A', 'B'])
    expect((await postJson(page, '/api/admin/discounts', { ...draft, code: `${prefix}-${letter}` })).status()).toBe(201)
  const tokenResponse = await postJson(page, '/api/admin/api-tokens', {
    name: prefix,
    scopes: ['metrics:read'],
    expiresInDays: 7,
  })
  expect(tokenResponse.status()).toBe(201)
  await page.context().clearCookies()

  await test.step('log in', async () => {
    const { demoAdmin } = await getJson<{ demoAdmin: Record<'username' | 'password', string> }>(page, '/api/config')
    await openPage(page, '/admin-login')
    await tabTo(page, page.getByLabel('Username'))
    await page.keyboard.type(demoAdmin.username)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type(demoAdmin.password)
    await page.keyboard.press('Enter')
    await expectDashboard(page)
  })

  await test.step('skip to the content, open a screen from the sidebar', async () => {
    await openPage(page, '/admin')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
    await pressEnterOn(page, dashboardNav(page).getByRole('link', { name: 'Discounts' }), 'Shift+Tab')
    await expect(heading(page, 'Discounts')).toBeVisible()
  })

  const row = (letter: string) => page.getByRole('row', { name: `${prefix}-${letter}` })

  await test.step('search, select, delete and restore rows', async () => {
    await expect(row('A')).toBeVisible()
    await page.keyboard.press('/')
    await expect(page.getByLabel('Search by code')).toBeFocused()
    await page.keyboard.type(prefix)
    await expect(page.getByRole('table', { name: 'Discounts' }).getByRole('row')).toHaveCount(3)
    await page.keyboard.press('Tab')
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key)
    const bulkActions = page.getByRole('region', { name: 'Selected rows' })
    await expect(bulkActions).toContainText('2 selected')
    await page.keyboard.press('k')
    await expect(page.getByRole('row').nth(1)).toBeFocused()
    await pressEnterOn(page, bulkActions.getByRole('button', { name: 'Delete' }), 'Shift+Tab')
    await expect(page.getByText(`Nothing matches “${prefix}”.`)).toBeVisible()
    await pressEnterOn(page, page.getByRole('button', { name: 'Undo' }))
    await expect(row('A')).toBeVisible()
    await expect(row('B')).toBeVisible()
  })

  await test.step('open a row, resolve a conflict and save', async () => {
    await page.keyboard.press('j')
    await expect(page.getByRole('row').nth(1)).toBeFocused()
    const code = (await page.getByRole('row').nth(1).getAttribute('aria-label')) ?? ''
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: code })
    await tabTo(page, dialog.getByLabel('Percentage'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('25')
    const [stored] = await getJson<Discount[]>(page, `/api/admin/discounts?q=${code}`)
    const { id, version } = stored as Discount
    const otherSave = await page.request.patch(`/api/admin/discounts/${id}`, {
      headers: { origin: originOf(page) },
      data: { ...draft, code, percent: 15, version },
    })
    expect(otherSave.status()).toBe(204)
    await page.keyboard.press('Enter')
    const conflict = dialog.getByRole('region', { name: 'Someone else saved this while you were editing' })
    await expect(conflict.getByRole('heading')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(conflict.getByRole('radio', { name: 'Yours: 25' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(conflict.getByRole('radio', { name: 'Theirs: 15' })).toBeChecked()
    await page.keyboard.press('ArrowUp')
    await pressEnterOn(page, dialog.getByRole('button', { name: 'Save' }))
    await expectToast(page, 'Saved', `Buyers can enter ${code} in the cart and at checkout.`)
    await expect(page.getByRole('row', { name: code })).toContainText('25%')
    await expect(page.getByRole('row', { name: code })).toContainText('Active')
  })

  await test.step('revoke a token, with Cancel focused first', async () => {
    await jumpTo(page, 'Developers')
    const revoke = page.getByRole('button', { name: `Revoke ${prefix}` })
    await pressEnterOn(page, revoke)
    const dialog = page.getByRole('dialog', { name: `Revoke ${prefix}?` })
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(revoke).toBeFocused()
    await page.keyboard.press('Enter')
    await pressEnterOn(page, dialog.getByRole('button', { name: 'Revoke' }), 'Shift+Tab')
    await expectToast(page, 'Revoked', `${prefix} no longer works.`)
    await expect(revoke).toHaveCount(0)
  })

  await test.step('return by the sidebar and log out', async () => {
    await pressEnterOn(page, dashboardNav(page).getByRole('link', { name: 'Overview' }), 'Shift+Tab')
    await expect(heading(page, 'Overview')).toBeVisible()
    await waitForRequests(page)
    await pressEnterOn(page, page.getByRole('button', { name: /^Account of/ }), 'Shift+Tab')
    await pressEnterOn(page, page.getByRole('button', { name: 'Log out' }))
    await expect(page).toHaveURL('/admin-login')
  })
})
