import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { SelectField } from './Field'

test('a select shows that it is required', () => {
  render(<SelectField label="Email" showsRequired options={[{ value: '1', label: 'Mail' }]} />)
  expect(screen.getByText('required')).toBeDefined()
})
