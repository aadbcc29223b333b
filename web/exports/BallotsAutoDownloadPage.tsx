import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { CardPage } from '../auth/CardPage'
import { buttonClass } from '../ui/Button'
import { BALLOTS_FILE_URL, useDownloadBallots } from './exports.queries'

/** Starts the download of the ballots by itself, once (specification section 2). */
export function BallotsAutoDownloadPage() {
  const { mutate, error } = useDownloadBallots()
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    mutate()
  }, [mutate])
  return (
    <CardPage title="Download CSV">
      {error ? (
        <p role="alert" className="text-sunset">
          {error.message}
        </p>
      ) : (
        <p>Your download starts by itself. If it does not, take the file here.</p>
      )}
      <a href={BALLOTS_FILE_URL} download className={buttonClass('foil', 'mt-8 w-full')}>
        Download CSV
      </a>
      <Link to="/csv-download" className={buttonClass('outline', 'mt-4 w-full')}>
        Email the link instead
      </Link>
    </CardPage>
  )
}
