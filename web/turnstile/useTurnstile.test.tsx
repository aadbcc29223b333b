import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { NewsletterForm } from '../newsletter/NewsletterForm'
import { newQueryClient } from '../query-client'
import { siteConfig } from '../site/site.queries'
import { changeField, mockFetch, renderWithProviders, submitForm, toastText } from '../testing/render'
import { buildSite } from '../testing/site.fixture'

type WidgetOptions = {
  callback: (token: string) => void
  'error-callback': () => void
  'expired-callback': () => void
}

const SUBSCRIBE = 'POST /api/newsletter/subscribe'
const scripts: HTMLScriptElement[] = []
let appendSpy: { mockRestore: () => void } | undefined
afterEach(() => {
  scripts.length = 0
  appendSpy?.mockRestore()
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function renderForm(turnstileSiteKey: string | null = 'site-key') {
  appendSpy = vi
    .spyOn(document.head, 'append')
    .mockImplementation((node) => void scripts.push(node as HTMLScriptElement))
  const { sent } = mockFetch({ [SUBSCRIBE]: { pointsEarned: 0 } })
  const queryClient = newQueryClient()
  queryClient.setQueryData(siteConfig.queryKey, buildSite({ turnstileSiteKey }))
  await renderWithProviders(<NewsletterForm />, { queryClient })
  return { posts: () => sent.filter((request) => request.startsWith(SUBSCRIBE)) }
}

/** Simulates the loaded script. Returns the mocked API and the options of its widgets. */
function stubTurnstile() {
  const widgets: WidgetOptions[] = []
  const turnstile = {
    render: vi.fn((_: HTMLElement, options: WidgetOptions) => `widget${widgets.push(options)}`),
    reset: vi.fn(),
    remove: vi.fn(),
  }
  vi.stubGlobal('turnstile', turnstile)
  scripts.at(-1)!.onload!(new Event('load'))
  return { turnstile, widgets }
}
const touchForm = () => fireEvent.focusIn(screen.getByLabelText('Email'))

test('sends each token once', async () => {
  const { posts } = await renderForm()
  expect(scripts).toEqual([])
  touchForm()
  await waitFor(() => expect(scripts.map(({ src }) => src)).toEqual([expect.stringMatching(/turnstile.*explicit$/)]))
  const { turnstile, widgets } = stubTurnstile()
  await waitFor(() =>
    expect(turnstile.render.mock.calls[0]?.[1]).toMatchObject({ sitekey: 'site-key', action: 'newsletter' }),
  )
  widgets[0]!.callback('first')
  for (const [nextToken, postCount] of [
    ['second', 1],
    ['third', 2],
  ] as const) {
    changeField('Email', 'fan@example.com')
    submitForm('Email')
    await waitFor(() => expect(posts()).toHaveLength(postCount))
    expect(turnstile.reset).toHaveBeenCalledTimes(postCount)
    widgets[0]!.callback(nextToken)
  }
  expect(posts()).toEqual(
    ['first', 'second'].map((token) => `${SUBSCRIBE} {"email":"fan@example.com","turnstileToken":"${token}"}`),
  )
})

test('replaces an expired token', async () => {
  const { posts } = await renderForm()
  touchForm()
  await waitFor(() => expect(scripts).toHaveLength(1))
  const { widgets } = stubTurnstile()
  await waitFor(() => expect(widgets).toHaveLength(1))
  widgets[0]!.callback('old')
  widgets[0]!['expired-callback']()
  changeField('Email', 'fan@example.com')
  submitForm('Email')
  widgets[0]!.callback('new')
  await waitFor(() => expect(posts()).toEqual([expect.stringContaining('"turnstileToken":"new"')]))
})

test('shows errors of a blocked script and a failed check', async () => {
  const { posts } = await renderForm()
  changeField('Email', 'fan@example.com')
  submitForm('Email')
  await waitFor(() => expect(scripts).toHaveLength(1))
  scripts[0]!.onerror!(new Event('error'))
  expect((await screen.findByRole('alert')).textContent).toMatch(/could not load/)
  await waitFor(() => expect(toastText()).toMatch(/^destructive/))
  // The next attempt loads the script again.
  submitForm('Email')
  await waitFor(() => expect(scripts).toHaveLength(2))
  const { widgets } = stubTurnstile()
  await waitFor(() => expect(widgets).toHaveLength(1))
  widgets[0]!['error-callback']()
  await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(/could not check/))
  expect(posts()).toEqual([])
})

test('loads nothing while Turnstile is off', async () => {
  const { posts } = await renderForm(null)
  touchForm()
  changeField('Email', 'fan@example.com')
  submitForm('Email')
  await waitFor(() => expect(posts()).toEqual([`${SUBSCRIBE} {"email":"fan@example.com"}`]))
  expect(scripts).toEqual([])
})
