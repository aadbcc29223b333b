import { ImagePlus, Trash2 } from 'lucide-react'
import { communityApi, POST_LIMITS } from '../../worker/contract/community'
import type { UploadedPicture } from '../../worker/contract/uploads'
import { Button } from '../ui/Button'
import { TextField } from '../ui/TextField'
import { FilePick } from '../uploads/FilePick'
import { SendingBar } from '../uploads/SendingBar'
import { sendPicture } from '../uploads/send-picture'
import { FAN_PICTURE } from '../uploads/shapes'
import { useSending } from '../uploads/useSending'
import { FanPicture } from './FanPicture'

const PICTURES = 'image/jpeg,image/png,image/webp,image/avif,image/heic'

type Props = {
  value: UploadedPicture | null
  onChange: (picture: UploadedPicture | null) => void
  alt: string
  onAlt: (alt: string) => void
  /** What is wrong with the words. */
  error?: string
  onBusy: (busy: boolean) => void
}

/** One picture for a post: chosen, sent in its sizes, and said in words what it shows. */
export function PostPictureField({ value, onChange, alt, onAlt, error, onBusy }: Props) {
  const { share, problem, start, stop } = useSending(
    (file: File, options: { onProgress: (share: number) => void; signal: AbortSignal }) =>
      sendPicture(file, { shape: FAN_PICTURE, ways: communityApi, ...options }),
    { onSent: onChange, onBusy },
  )
  return (
    <fieldset>
      <legend className="sr-only">Picture</legend>
      {share !== null ? (
        <SendingBar label="Picture" share={share} onStop={stop} />
      ) : value ? (
        <div className="grid gap-4 border-l-2 border-gold pl-4">
          <FanPicture picture={{ ...value, alt }} tallest="16rem" className="justify-self-start bg-sleeve" />
          <TextField
            label="What it shows"
            name="alt"
            hint="For everybody who cannot see it."
            required
            maxLength={POST_LIMITS.alt}
            value={alt}
            onChange={(event) => onAlt(event.target.value)}
            error={error}
          />
          <div className="-ml-3">
            <Button look="quiet" onClick={() => onChange(null)}>
              <Trash2 size={18} aria-hidden /> Remove the picture
            </Button>
          </div>
        </div>
      ) : (
        <FilePick label="Add a picture" accept={PICTURES} onPick={(file) => void start(file)}>
          <ImagePlus size={18} aria-hidden /> Add a picture
        </FilePick>
      )}
      {problem && (
        <p role="alert" className="mt-2 text-sm text-sunset">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
