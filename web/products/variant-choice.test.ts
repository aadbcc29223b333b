import { expect, test } from 'vitest'
import { buildProduct, buildSizeVariants, buildVariant } from '../testing/product.fixture'
import { choiceMissingText, chosenVariant, optionGroups, priceRange } from './variant-choice'

const hoodie = buildProduct({ variants: buildSizeVariants('hoodie', { S: 0, M: 3, L: 5 }) })
const tee = buildProduct({
  variants: [
    ['Black', 'S', 2],
    ['Black', 'M', 0],
    ['Gold', 'S', 0],
    ['Gold', 'M', 0],
    ['Bay', 'M', 1],
  ].map(([color, size, stock]) =>
    buildVariant({
      id: `${color}-${size}`,
      name: `${color} / ${size}`,
      options: { Color: String(color), Size: String(size) },
      stock: Number(stock),
    }),
  ),
})
const availableValues = (product: typeof tee, choice: Record<string, string>) =>
  optionGroups(product, choice).map(({ values }) =>
    values.filter(({ isAvailable }) => isAvailable).map(({ value }) => value),
  )

test('shows sold-out values as unavailable', () => {
  expect(optionGroups(hoodie, {})).toEqual([
    {
      name: 'Size',
      values: [
        { value: 'S', isAvailable: false },
        { value: 'M', isAvailable: true },
        { value: 'L', isAvailable: true },
      ],
    },
  ])
})

test('availability depends on the values chosen in earlier groups', () => {
  expect(availableValues(tee, {})).toEqual([
    ['Black', 'Bay'],
    ['S', 'M'],
  ])
  expect(availableValues(tee, { Color: 'Black' })).toEqual([['Black', 'Bay'], ['S']])
  expect(availableValues(tee, { Color: 'Bay' })).toEqual([['Black', 'Bay'], ['M']])
})

test('finds the variant of a complete choice in stock', () => {
  expect(chosenVariant(tee, { Color: 'Black' })).toBeNull()
  expect(chosenVariant(tee, { Color: 'Black', Size: 'S' })?.id).toBe('Black-S')
  expect(chosenVariant(tee, { Color: 'Black', Size: 'M' })).toBeNull()
  expect(chosenVariant(hoodie, {})).toBeNull()
})

test('the only variant needs no choice', () => {
  const clip = buildProduct({ id: 'clip' })
  expect(optionGroups(clip, {})).toEqual([])
  expect(chosenVariant(clip, {})?.id).toBe('clip-1')
})

test('offers variants without options by name', () => {
  const variants = ['Small print', 'Large print'].map((name) => buildVariant({ id: name, name }))
  const [group] = optionGroups({ variants }, {})
  expect(group?.values.map(({ value }) => value)).toEqual(['Small print', 'Large print'])
  expect(chosenVariant({ variants }, { Option: 'Large print' })?.id).toBe('Large print')
})

test('writes “a” or “an” before the missing option’s name', () => {
  expect(['Size', 'Edition'].map((name) => choiceMissingText({ name }))).toEqual([
    'Choose a size first.',
    'Choose an edition first.',
  ])
})

test('shows the price range of the variants', () => {
  const variants = [buildVariant({ priceCents: 2000 }), buildVariant({ priceCents: 2500 })]
  expect(priceRange({ variants, priceCents: 1 })).toEqual([2000, 2500])
})
