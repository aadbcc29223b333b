import { Download as DownloadIcon } from 'lucide-react'
import type { Download } from '../../worker/contract/downloads'
import { formatBytes, formatLongDateTime } from '../lib/format'
import { buttonClass } from '../ui/Button'
import { ResponsiveImage } from '../ui/ResponsiveImage'
import { isPreparing } from './downloads.queries'

/** Releases and tracks with a button for each format. */
export function DownloadList({ downloads }: { downloads: readonly Download[] }) {
  return (
    <ul className="w-full max-w-2xl">
      {downloads.map((download) => (
        <DownloadRow key={`${download.kind} ${download.title}`} download={download} />
      ))}
    </ul>
  )
}

function DownloadRow({ download }: { download: Download }) {
  const { title, artist, coverUrl, kind, formats, preparing, opensAt } = download
  return (
    <li className="grid grid-cols-[4.5rem_1fr] gap-4 border-t border-rule py-5 sm:gap-6">
      <div>
        <ResponsiveImage
          src={coverUrl}
          alt=""
          sizes="4.5rem"
          className="aspect-square w-full rounded-xs object-cover"
        />
      </div>
      <div className="min-w-0">
        <h3 className="text-lg leading-tight font-semibold wrap-anywhere">{title}</h3>
        <p className="mt-1 text-sm text-muted">
          {artist}
          {kind === 'track' && ', single track'}
        </p>
        {formats.length > 0 && (
          <ul className="mt-4 flex flex-wrap gap-3">
            {formats.map(({ name, sizeBytes, url }) => (
              <li key={name}>
                <a href={url} download className={buttonClass('outline', 'px-4')}>
                  <DownloadIcon size={18} aria-hidden />
                  <span className="sr-only">Download {title} as</span>
                  {name}
                  <span className="tabular-figures text-muted normal-case tracking-normal">
                    {formatBytes(sizeBytes)}
                  </span>
                </a>
              </li>
            ))}
          </ul>
        )}
        <p role="status" className="text-sm text-muted not-empty:mt-3">
          {opensAt
            ? `Not out yet: your download opens on ${formatLongDateTime(opensAt)}.`
            : isPreparing(download) && preparingText(preparing)}
        </p>
      </div>
    </li>
  )
}

const preparingText = (formats: readonly string[]): string =>
  `${formats.length > 0 ? `We are preparing ${new Intl.ListFormat('en-US').format(formats)}` : 'We are preparing your files'}. That usually takes less than five minutes.`
