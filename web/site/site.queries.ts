import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Appearance } from '../../worker/contract/appearance'
import { DEFAULT_APPEARANCE } from '../../worker/contract/appearance-rules'
import { type HomeSectionId, NAV_SECTIONS, type NavSectionId } from '../../worker/contract/home-sections'
import { type SiteConfig, siteApi } from '../../worker/contract/site'
import { call } from '../api/call'
import { setCurrency } from '../lib/format'

/** Sets the currency of all formatted prices. Returns `config` unchanged. */
export function applyCurrency(config: SiteConfig): SiteConfig {
  setCurrency(config.currency)
  return config
}

/** The public configuration: the artist, the tiers and which features are enabled. */
export const siteConfig = queryOptions({
  queryKey: ['config'],
  queryFn: () => call(siteApi.config, {}).then(applyCurrency),
})

/** The public configuration; undefined while loading. */
export function useSite() {
  return useQuery(siteConfig).data
}

/** Sections, labels and colors; the defaults while loading. */
export const useAppearance = (): Appearance => useSite()?.appearance ?? DEFAULT_APPEARANCE

/** The navigation's sections in the order of the home page, without hidden ones. */
export function useNavSections(): readonly { id: NavSectionId; label: string }[] {
  const { sections, labels } = useAppearance()
  return navSections(sections, labels)
}

/** Those of `sections` that the navigation links to, each with its label; the default label if it is empty. */
export const navSections = (sections: readonly HomeSectionId[], labels: Partial<Record<NavSectionId, string>>) =>
  sections.flatMap((id) => {
    const section = NAV_SECTIONS.find((other) => other.id === id)
    return section ? [{ id: section.id, label: labels[section.id]?.trim() || section.label }] : []
  })

export const legalTextKey = (id: string) => ['legal-texts', id] as const
