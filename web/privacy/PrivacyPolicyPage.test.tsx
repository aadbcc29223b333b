import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { changeField, renderApp } from '../testing/render'
import { buildSite } from '../testing/site.fixture'

test('shows the policy’s date and the retention periods', async () => {
  await renderApp('/privacy-policy', { 'GET /api/config': buildSite(), 'GET /api/auth/status': null })
  const page = (await screen.findByRole('main')).textContent
  for (const text of [
    'July 18, 2025',
    'fan community of The Artist',
    'or 3 years of inactivity',
    'Transactions7 years',
    '26 months, anonymised after 14 months',
    'Support correspondence3 years',
    'within 30 days',
    'children under 13',
  ])
    expect(page).toContain(text)
})

test('links the contents to the clauses', async () => {
  await renderApp('/privacy-policy', { 'GET /api/config': buildSite(), 'GET /api/auth/status': null })
  const contents = await screen.findByRole('navigation', { name: 'Contents' })
  const anchors = [...contents.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  expect(anchors.length).toBeGreaterThan(5)
  for (const anchor of anchors) expect(document.querySelector(anchor!)?.tagName).toBe('SECTION')
})

test('links to the account page for data rights', async () => {
  await renderApp('/privacy-policy', { 'GET /api/config': buildSite(), 'GET /api/auth/status': null })
  const link = await screen.findByRole('link', { name: 'your account page' })
  expect([link.getAttribute('href'), link.closest('section')?.id]).toEqual(['/account', 'your-rights'])
})

test('sends one question when the button is pressed twice', async () => {
  const { sent } = await renderApp('/privacy-policy', {
    'GET /api/config': buildSite(),
    'GET /api/auth/status': null,
    'POST /api/privacy/inquiries': () => new Promise(() => {}),
  })
  await screen.findByRole('button', { name: 'Send the question' })
  changeField('Email', 'fan@mail.example')
  changeField('Your question', 'Which data do you keep about me?')
  fireEvent.click(screen.getByRole('button', { name: 'Send the question' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Sending' }))
  await screen.findByRole('button', { name: 'Sending' })
  expect(sent.filter((request) => request.startsWith('POST'))).toHaveLength(1)
})
