import type { Product, ProductVariant } from '../../worker/contract/products'

/** Values chosen so far, by option name. */
export type Choice = Readonly<Record<string, string>>

export type OptionGroup = {
  /** 'Size' */
  name: string
  values: { value: string; isAvailable: boolean }[]
}

export const isInStock = ({ stock }: Pick<ProductVariant, 'stock'>): boolean => stock === null || stock > 0

/** Name of the option group if variants have names but no options. */
const UNNAMED_OPTION = 'Option'

const optionsOf = (variant: ProductVariant): Choice =>
  Object.keys(variant.options).length > 0 ? variant.options : { [UNNAMED_OPTION]: variant.name }

const matchesChoice = (variant: ProductVariant, choice: Choice): boolean => {
  const options = optionsOf(variant)
  return Object.entries(choice).every(([name, value]) => options[name] === value)
}

/**
 * The options to choose from, in the variants' order. A value is available if a variant in stock has it together with
 * the values that are chosen in earlier groups. Empty if there is nothing to choose.
 */
export function optionGroups({ variants }: Pick<Product, 'variants'>, choice: Choice): OptionGroup[] {
  const [first] = variants
  if (!first || variants.length === 1) return []
  const earlier: Record<string, string> = {}
  return Object.keys(optionsOf(first)).map((name) => {
    const values = [...new Set(variants.flatMap((variant) => optionsOf(variant)[name] ?? []))]
    const group = {
      name,
      values: values.map((value) => ({
        value,
        isAvailable: variants.some(
          (variant) => isInStock(variant) && matchesChoice(variant, { ...earlier, [name]: value }),
        ),
      })),
    }
    const chosen = choice[name]
    if (chosen !== undefined) earlier[name] = chosen
    return group
  })
}

/** The matching variant in stock; null for an incomplete or sold-out choice. A single variant is always chosen. */
export function chosenVariant({ variants }: Pick<Product, 'variants'>, choice: Choice): ProductVariant | null {
  if (variants.length === 1) return variants[0] ?? null
  const groups = optionGroups({ variants }, choice)
  if (groups.some(({ name }) => choice[name] === undefined)) return null
  return variants.find((variant) => isInStock(variant) && matchesChoice(variant, choice)) ?? null
}

/** 'Choose a size first.' */
export const choiceMissingText = ({ name }: Pick<OptionGroup, 'name'>): string => {
  const option = name.toLowerCase()
  return `Choose ${/^[aeiou]/.test(option) ? 'an' : 'a'} ${option} first.`
}

/** Lowest and highest price of the variants in cents; without variants, the product's price. */
export function priceRange({ variants, priceCents }: Pick<Product, 'variants' | 'priceCents'>): [number, number] {
  const prices = variants.map((variant) => variant.priceCents)
  return prices.length > 0 ? [Math.min(...prices), Math.max(...prices)] : [priceCents, priceCents]
}
