import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { newQueryClient } from '../query-client'
import {
  changeField,
  errorResponse,
  type MockResponses,
  mockFetch,
  noContent,
  renderWithProviders,
  submitForm,
  toastText,
} from '../testing/render'
import { buildSite } from '../testing/site.fixture'
import { buildSupporter } from '../testing/supporter.fixture'
import { AuthPage } from './AuthPage'
import { sessionQuery } from './auth.queries'

const me = buildSupporter({ username: 'ana', points: 0 })

async function open(path: string, responses: MockResponses = {}, session: typeof me | null = null) {
  const { sent } = mockFetch(responses)
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, session)
  const { router } = await renderWithProviders(<AuthPage />, { path, queryClient })
  return { router, queryClient, sent: () => sent.filter((line) => line.startsWith('POST')) }
}
const focusedFieldName = () => document.activeElement?.getAttribute('name')
const errorOf = (label: string) => {
  const ids = screen.getByLabelText(label).getAttribute('aria-describedby')?.split(' ') ?? []
  return ids.map((id) => document.getElementById(id)).find((node) => node?.id.endsWith('-error'))?.textContent
}

function fillSignUp(values: Partial<Record<string, string>> = {}) {
  changeField('Username', values.Username ?? 'ana')
  changeField('Email', values.Email ?? 'ana@fan.example')
  changeField('Phone number', values['Phone number'] ?? '8135550123')
  changeField('Password', values.Password ?? 'seven golden lanterns')
  changeField('Confirm password', values['Confirm password'] ?? values.Password ?? 'seven golden lanterns')
}

test.each([
  ['/login', 'Login'],
  ['/auth', 'Login'],
  ['/signup', 'Sign Up'],
])('%s opens the tab %s', async (path, name) => {
  await open(path)
  expect(screen.getByRole('tab', { name }).getAttribute('aria-selected')).toBe('true')
})

test('a login stores the user and opens the home page', async () => {
  const { router, queryClient, sent } = await open('/login', { 'POST /api/auth/login': me })
  changeField('Username or email', 'ana')
  changeField('Password', 'seven golden lanterns')
  submitForm('Password')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(toastText()).toBe('plain | Welcome back! | You are logged in as ana.')
  expect(queryClient.getQueryData(sessionQuery.queryKey)).toEqual(me)
  expect(sent()).toEqual(['POST /api/auth/login {"username":"ana","password":"seven golden lanterns"}'])
})

test.each([
  ['/subscribe', '/subscribe'],
  ['/checkout?product=hoodie', '/checkout?product=hoodie'],
  ['//evil.example', '/'],
  ['https://evil.example/', '/'],
  ['/admin', '/'],
  ['/\\evil.example', '/'],
])('for a logged-in supporter, the return path %s opens %s', async (returnParam, path) => {
  const { router } = await open(`/login?return=${encodeURIComponent(returnParam)}`, {}, me)
  await waitFor(() => expect(router.state.location.href).toBe(path))
})

test.each([
  ['bad_credentials', 401, 'Invalid credentials', 'Invalid credentials', 'That username or password is not right.'],
  ['rate_limited', 429, 'Please wait.', '429: Please wait.', 'Please wait.'],
])('shows the login error %s at the field', async (code, status, message, toastMessage, fieldError) => {
  await open('/login', {
    'POST /api/auth/login': () => errorResponse(status, code, message),
  })
  changeField('Username or email', 'ana')
  changeField('Password', 'wrong')
  submitForm('Password')
  await waitFor(() => expect(toastText()).toBe(`destructive | Login failed | ${toastMessage}`))
  expect([errorOf('Password'), focusedFieldName()]).toEqual([fieldError, 'password'])
})

test('asks an administrator for the second factor', async () => {
  const { sent } = await open('/login', {
    'POST /api/auth/login': () => errorResponse(401, 'second_factor_required', 'Please enter the code.'),
  })
  changeField('Username or email', 'ana')
  changeField('Password', 'seven golden lanterns')
  submitForm('Password')
  await screen.findByLabelText('Code from your authenticator app')
  changeField('Code from your authenticator app', '123456')
  submitForm('Password')
  await waitFor(() => expect(sent().at(-1)).toContain('"code":"123456"'))
})

test('does not send an empty login', async () => {
  const { sent } = await open('/login')
  submitForm('Password')
  expect(toastText()).toBe('destructive | Missing fields | Please fill in all required fields')
  expect(sent()).toEqual([])
})

test.each(['Username', 'Email', 'Phone number', 'Password'])('does not send a sign-up without %s', async (field) => {
  const { sent } = await open('/signup')
  fillSignUp({ [field]: '', ...(field === 'Password' && { 'Confirm password': '' }) })
  submitForm('Email')
  expect(toastText()).toBe('destructive | Missing fields | Please fill in all required fields')
  expect([errorOf(field), screen.getByLabelText(field) === document.activeElement]).toEqual([
    'Please fill this in.',
    true,
  ])
  expect(sent()).toEqual([])
})

test('sends no sign-up with two different passwords', async () => {
  const { sent } = await open('/signup')
  fillSignUp({ 'Confirm password': 'another thing entirely' })
  submitForm('Email')
  expect(toastText()).toBe("destructive | Password mismatch | Passwords don't match!")
  expect([errorOf('Confirm password'), sent()]).toEqual(['The passwords don’t match.', []])
})

test.each([
  ['Username', 'a b', 'A username has 3 to 30 letters, numbers, dots, dashes or underscores.'],
  ['Email', 'not an address', 'Please enter a valid email address.'],
  ['Password', 'short', 'A password needs at least 8 characters.'],
])('rejects the %s %o at its field', async (field, value, message) => {
  const { sent } = await open('/signup')
  fillSignUp({ [field]: value })
  submitForm('Email')
  expect([toastText(), errorOf(field), sent()]).toEqual([`destructive | Signup failed | ${message}`, message, []])
})

test('requests a new link if the sign-up sent no email', async () => {
  const { router, sent } = await open('/signup', {
    'POST /api/auth/signup': () => Response.json({ ...me, emailSent: false }, { status: 201 }),
    'POST /api/auth/email/resend': noContent,
  })
  fillSignUp()
  submitForm('Email')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(sent().at(-1)).toBe('POST /api/auth/email/resend')
})

test('says that the new link was not sent either', async () => {
  await open('/signup', {
    'POST /api/auth/signup': () => Response.json({ ...me, emailSent: false }, { status: 201 }),
    'POST /api/auth/email/resend': () => new Response('Try again tomorrow.', { status: 429 }),
  })
  fillSignUp()
  submitForm('Email')
  await waitFor(() => expect(toastText()).toMatch(/^plain \| Account created! \| .*We could not send a link to /))
})

test('a sign-up sends the referral code, not the repeated password', async () => {
  const { router, sent } = await open('/signup?ref=ANY7ABC', {
    'POST /api/auth/signup': () =>
      Response.json({ ...me, email: 'ana@fan.example', points: 50, emailSent: true }, { status: 201 }),
  })
  fillSignUp()
  submitForm('Email')
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  expect(toastText()).toBe(
    'plain | Account created! | Welcome, ana. You start with 50 points. We sent a link to ana@fan.example. Open it to confirm your email.',
  )
  expect(sent()).toEqual([
    'POST /api/auth/signup {"username":"ana","email":"ana@fan.example","phoneNumber":"8135550123","password":"seven golden lanterns","referralCode":"ANY7ABC","ageWording":"age-13-2025-07-18"}',
  ])
})

test.each([
  ['name_taken', 409, 'That username is taken. Please choose another.', 'Username'],
  ['email_taken', 409, 'There is an account with that address already. Please log in.', 'Email'],
  ['unknown_code', 400, 'We do not know that referral code.', 'Referral code'],
  ['bad_input', 400, 'That password is easily guessed. Please choose another.', 'Password'],
  ['bad_input', 400, 'Please enter a valid phone number.', 'Phone number'],
])('toasts sign-up error %s %i and marks its field', async (code, status, message, field) => {
  await open('/signup', {
    'POST /api/auth/signup': () => errorResponse(status, code, message),
  })
  fillSignUp()
  submitForm('Email')
  await waitFor(() => expect(toastText()).toBe(`destructive | Signup failed | ${status}: ${message}`))
  expect([errorOf(field), screen.getByLabelText(field) === document.activeElement]).toEqual([message, true])
})

test('shows and hides the password', async () => {
  await open('/login')
  const field = screen.getByLabelText('Password')
  const button = screen.getByRole('button', { name: 'Show password' })
  fireEvent.click(button)
  expect([field.getAttribute('type'), button.getAttribute('aria-pressed')]).toEqual(['text', 'true'])
  fireEvent.click(button)
  expect(field.getAttribute('type')).toBe('password')
})

test.each([
  ['seven77', 'At least 8 characters'],
  ['aaaaaaaa', 'Easily guessed'],
  ['12345678', 'Easily guessed'],
  ['password99', 'Easily guessed'],
  ['tangerin', 'Fair'],
  ['gulf pelican', 'Good'],
  ['seven golden lanterns', 'Strong'],
])('rates the password %o as %o', async (password, label) => {
  await open('/signup')
  changeField('Password', password)
  expect(screen.getByText(label)).toBeDefined()
  changeField('Password', '')
  expect(screen.queryByText(label)).toBeNull()
})

test('every sign-up field has an autocomplete value', async () => {
  await open('/signup')
  const values = ['Username', 'Email', 'Phone number', 'Password', 'Confirm password'].map((label) =>
    screen.getByLabelText(label).getAttribute('autocomplete'),
  )
  expect(values).toEqual(['username', 'email', 'tel', 'new-password', 'new-password'])
})

test.each([
  [true, ['/api/auth/google?referralCode=ANY7ABC&return=%2Fsubscribe']],
  [false, []],
])('with Google configured %s, links to %j', async (google, hrefs) => {
  mockFetch({})
  const queryClient = newQueryClient()
  queryClient.setQueryData(sessionQuery.queryKey, null)
  queryClient.setQueryData(['config'], buildSite({ google }))
  await renderWithProviders(<AuthPage />, { path: '/signup?ref=ANY7ABC&return=/subscribe', queryClient })
  const links = screen.queryAllByRole('link', { name: 'Continue with Google' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(hrefs)
})

test('explains an exceeded sign-up quota after a Google sign-in', async () => {
  await open('/login?error=signups')
  expect(toastText()).toBe(
    'destructive | Too many accounts were created from this network today | Please try again tomorrow, or from another network.',
  )
})

test('shows a failed Google sign-in', async () => {
  await open('/login?error=google')
  expect(toastText()).toBe('destructive | Google sign-in failed | Please try again, or use your password.')
})
