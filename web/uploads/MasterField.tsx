import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { type Master, type MasterState, mastersApi } from '../../worker/contract/masters'
import { call, errorMessage, fillPath } from '../api/call'
import { formatBytes, formatDate } from '../lib/format'
import { Button, buttonClass } from '../ui/Button'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { GroupError } from '../ui/FormError'
import { QueryBoundary } from '../ui/QueryBoundary'
import { FilePicker, UploadProgress } from './FilePicker'
import { type LocalUpload, startMasterUpload, stopMasterUpload, useLocalUpload } from './master-upload-store'

const MASTER_FILE_TYPES = '.flac,.wav,audio/flac,audio/x-flac,audio/wav,audio/x-wav'

const masterState = (trackId: string) =>
  queryOptions({
    queryKey: ['admin', 'tracks', trackId, 'master'],
    queryFn: () => call(mastersApi.state, { id: trackId }),
    staleTime: 0,
  })

type Props = {
  trackId: string
  trackTitle: string
  /** Whether the saved track has an audio file to stream. */
  hasAudio: boolean
  /** Id of the input that chooses the audio file. */
  audioPickerId: string
}

/** The lossless file of a track. It is saved immediately, not with the track's form. */
export function MasterField({ trackId, trackTitle, hasAudio, audioPickerId }: Props) {
  const id = useId()
  const queryClient = useQueryClient()
  const query = useQuery(masterState(trackId))
  const localUpload = useLocalUpload(trackId)
  const refresh = () => queryClient.invalidateQueries(masterState(trackId))
  return (
    <section aria-labelledby={id} className="mt-10 border-t border-rule pt-6">
      <h3 id={id} className="font-label text-muted">
        Master
      </h3>
      <p className="mt-2 max-w-prose text-sm text-muted">
        The lossless original: FLAC or WAV, up to 2 GB. It is private: only the team can download it, and the site plays
        the recording above. An upload that is cut off continues when you choose the same file again.
      </p>
      <div className="mt-4 border border-rule p-4">
        {localUpload && localUpload.error === null ? (
          <>
            <UploadProgress
              label={localUpload.fileName}
              progress={localUpload.progress}
              onStop={() => void cancelUpload(trackId, localUpload, refresh)}
            />
            <p role="status" className="mt-3 text-sm text-muted">
              {localUpload.isWaiting
                ? 'Waiting for the network or the server. The upload continues by itself.'
                : `Sending ${localUpload.fileName}. You can work on other pages of the dashboard, but keep this tab open.`}
            </p>
          </>
        ) : (
          <QueryBoundary
            query={query}
            loading={{ className: 'h-12', label: 'Loading the master' }}
            error="The master could not be loaded."
          >
            {(state) => (
              <StoredMaster
                trackId={trackId}
                trackTitle={trackTitle}
                state={state}
                onPick={(file) => void startMasterUpload(trackId, file, () => void refresh())}
                onChange={refresh}
                onChooseAudio={hasAudio ? undefined : () => openPicker(audioPickerId)}
              />
            )}
          </QueryBoundary>
        )}
      </div>
      {localUpload?.error && <GroupError>{localUpload.error}</GroupError>}
    </section>
  )
}

function openPicker(inputId: string): void {
  const input = document.getElementById(inputId)
  input?.focus()
  input?.click()
}

/** Stops the upload and discards its parts. If that fails, the cleanup job discards them. */
async function cancelUpload(trackId: string, { id }: LocalUpload, refresh: () => Promise<void>) {
  stopMasterUpload(trackId)
  if (id) await call(mastersApi.cancel, { id }).catch(() => undefined)
  await refresh()
}

type StoredProps = {
  trackId: string
  trackTitle: string
  state: MasterState
  onPick: (file: File) => void
  onChange: () => Promise<void>
  /** Set if the track has no audio file to stream. */
  onChooseAudio?: () => void
}

function StoredMaster({ trackId, trackTitle, state, onPick, onChange, onChooseAudio }: StoredProps) {
  const { master, upload } = state
  const [isRemoving, setIsRemoving] = useState(false)
  const [actionError, setActionError] = useState<string>()
  const pickLabel = master ? 'Replace the master' : 'Choose a FLAC or WAV file'
  const percent = upload && Math.floor((upload.receivedBytes / upload.sizeBytes) * 100)
  return (
    <>
      <div role="status">
        <p className="wrap-anywhere">{master ? describeMaster(master) : 'No master yet.'}</p>
        {master && onChooseAudio && (
          <p className="mt-2 text-gold">
            Visitors can’t play this track yet: the site never streams the master. Add an MP3 or M4A as the recording
            above, then save.
          </p>
        )}
      </div>
      {master && onChooseAudio && (
        <Button className="mt-4" onClick={onChooseAudio}>
          Choose an MP3 or M4A
        </Button>
      )}
      {upload && (
        <p className="mt-2 wrap-anywhere text-gold">
          The upload of {upload.fileName} stopped at {percent}%. Choose the same file to continue.
        </p>
      )}
      <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
        <FilePicker label="Master: choose a FLAC or WAV file" accept={MASTER_FILE_TYPES} onPick={onPick}>
          {upload ? 'Choose the same file' : pickLabel}
        </FilePicker>
        {upload && (
          <Button
            variant="text"
            className="px-0!"
            onClick={() => {
              setActionError(undefined)
              call(mastersApi.cancel, { id: upload.id }).then(onChange, (error: Error) => {
                setActionError(errorMessage(error))
                return onChange()
              })
            }}
          >
            Discard the upload
          </Button>
        )}
        {master && (
          <>
            <a
              href={fillPath(mastersApi.download.path, { id: trackId })}
              download
              className={buttonClass('text', 'px-0!')}
            >
              <Download size={18} aria-hidden />
              Download the master
            </a>
            <Button variant="text" className="px-0!" onClick={() => setIsRemoving(true)}>
              Remove the master
            </Button>
          </>
        )}
      </div>
      {actionError && <GroupError>{actionError}</GroupError>}
      {isRemoving && (
        <ConfirmDialog
          title={`Remove the master of “${trackTitle}”?`}
          confirmLabel="Remove the master"
          onClose={() => setIsRemoving(false)}
          onConfirm={() => {
            setIsRemoving(false)
            setActionError(undefined)
            call(mastersApi.remove, { id: trackId }).then(onChange, (error: Error) =>
              setActionError(errorMessage(error)),
            )
          }}
        >
          <p>The file is deleted for good. Download it first if this is your only copy.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const describeMaster = ({ fileName, contentType, sizeBytes, storedAt }: Master) =>
  [
    fileName,
    contentType === 'audio/flac' ? 'FLAC' : 'WAV',
    formatBytes(sizeBytes),
    `uploaded ${formatDate(storedAt)}`,
  ].join(', ')
