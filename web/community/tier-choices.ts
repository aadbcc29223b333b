/** Whom a post for the tiers can be for: a tier and those above it. */
export const TIER_CHOICES = [
  { value: 'silver', label: 'Silver and Gold' },
  { value: 'gold', label: 'Gold' },
] as const
