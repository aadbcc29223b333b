import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderWithProviders } from '../testing/render'
import { NavMenu } from './NavMenu'

const button = () => screen.getByRole('button')

async function open(contact = 'https://social.example/artist') {
  await renderWithProviders(<NavMenu contact={contact} />)
  fireEvent.click(button())
  return screen.getByRole('navigation', { name: 'Menu' })
}

test('the menu opens and says so', async () => {
  const menu = await open()
  expect(button().getAttribute('aria-expanded')).toBe('true')
  expect([...menu.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
    '/#music',
    '/#merch',
    '/#concerts',
    '/#exclusive',
    '/#smart-features',
    'https://social.example/artist',
  ])
})

test('Escape closes it and gives focus back to the button', async () => {
  const menu = await open()
  menu.querySelector('a')?.focus()
  fireEvent.keyDown(document, { key: 'Escape' })
  expect(button().getAttribute('aria-expanded')).toBe('false')
  expect(document.activeElement).toBe(button())
})

test('pressing elsewhere closes it', async () => {
  await open()
  fireEvent.pointerDown(document.body)
  expect(button().getAttribute('aria-expanded')).toBe('false')
})

test('an artist without a social profile has no Contact link', async () => {
  const menu = await open('')
  expect(menu.textContent).not.toContain('Contact')
})
