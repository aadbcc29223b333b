/** Whom a post for the tiers can be for: a tier and those above it. */
export const TIER_OPTIONS = [
  { value: 'silver', label: 'Silver and Gold' },
  { value: 'gold', label: 'Gold' },
] as const
