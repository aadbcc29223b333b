import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '../lib/format'
import { variantFormats } from './downloads.queries'

/** The download formats of the first given variant that has formats. */
export function FormatList({ variantIds }: { variantIds: readonly string[] }) {
  const { data } = useQuery(variantFormats)
  const found = data?.find(({ variantId, formats }) => variantIds.includes(variantId) && formats.length > 0)
  if (!found) return null
  return (
    <dl className="mt-6 border-y border-rule">
      <dt className="pt-4 font-label text-muted">You get</dt>
      {found.formats.map(({ name, sizeBytes }) => (
        <dd key={name} className="flex min-h-11 items-center justify-between gap-4 border-rule not-last:border-b">
          <span className="font-semibold">{name}</span>
          {sizeBytes !== null && <span className="tabular-figures text-sm text-muted">{formatBytes(sizeBytes)}</span>}
        </dd>
      ))}
    </dl>
  )
}
