/**
 * Sections of the home page in their default order. `label` is the default text of the link in the
 * navigation; sections without a label have no link.
 */
export const HOME_SECTIONS = [
  { id: 'music', title: 'Latest Releases', label: 'Music' },
  { id: 'merch', title: 'Merch Store', label: 'Merch' },
  { id: 'concerts', title: 'Live Shows', label: 'Concerts' },
  { id: 'exclusive', title: 'The Zone', label: 'Exclusive' },
  { id: 'smart-features', title: 'Supporter Hub', label: 'Supporter Missions' },
  { id: 'community', title: 'Community' },
  { id: 'newsletter', title: 'Newsletter' },
] as const
export type HomeSectionId = (typeof HOME_SECTIONS)[number]['id']
export type NavSectionId = Extract<(typeof HOME_SECTIONS)[number], { label: string }>['id']

export const SECTION_IDS = HOME_SECTIONS.map(({ id }) => id)
export const NAV_SECTIONS = HOME_SECTIONS.filter((section) => 'label' in section)
