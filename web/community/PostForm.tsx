import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { POST_LIMITS } from '../../worker/contract/community'
import { MAX_PAID_POSTS_PER_DAY, POINTS } from '../../worker/contract/points'
import type { UploadedImage } from '../../worker/contract/uploads'
import { errorMessage } from '../api/call'
import { useMe } from '../auth/auth.queries'
import { Button, buttonClass } from '../ui/Button'
import { TextAreaField } from '../ui/Field'
import { toast } from '../ui/toast'
import { useCreatePost } from './community.queries'
import { PostImageField } from './PostImageField'

const MAX_TEXT_LENGTH = POST_LIMITS.text
const POINTS_TEXT = `+${POINTS.community_post} points, ${MAX_PAID_POSTS_PER_DAY} times a day.`

/** What a supporter has to say; what was written stays until it is posted. */
export function PostForm() {
  const me = useMe()
  const write = useCreatePost()
  const [text, setText] = useState('')
  const [image, setImage] = useState<UploadedImage | null>(null)
  const [alt, setAlt] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const [isAltMissing, setAltMissing] = useState(false)
  if (me === null)
    return (
      <Link to="/login" search={{}} className={buttonClass()}>
        Log in to post
      </Link>
    )
  const selectImage = (sent: UploadedImage | null) => {
    setImage(sent)
    setAlt('')
    setAltMissing(false)
  }
  // The focus goes to what is to be mended, and its sentence is read out with it.
  const focusOn = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  const showError = (said: string) => {
    setProblem(said)
    focusOn('text')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    if (text.trim() === '') return showError('Please write something first.')
    if (isSending) return showError('One moment: your picture is still on its way.')
    setProblem(undefined)
    if (image && alt.trim() === '') {
      setAltMissing(true)
      return focusOn('alt')
    }
    write.mutate(image ? { text, picture: { id: image.id, alt } } : { text }, {
      onSuccess: ({ pointsAwarded }) => {
        setText('')
        selectImage(null)
        toast({ title: 'Posted!', ...(pointsAwarded > 0 && { text: `+${pointsAwarded} points earned` }) })
      },
      onError: (error) => showError(errorMessage(error)),
    })
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <TextAreaField
        label="Your post"
        name="text"
        maxLength={MAX_TEXT_LENGTH}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={problem}
        hint={`${POINTS_TEXT} ${MAX_TEXT_LENGTH - text.length} characters left.`}
      />
      <PostImageField
        value={image}
        onChange={selectImage}
        alt={alt}
        onAlt={setAlt}
        onBusy={setIsSending}
        error={isAltMissing && alt.trim() === '' ? 'Please say what the picture shows.' : undefined}
      />
      <Button type="submit" variant="foil" aria-disabled={write.isPending || isSending} className="justify-self-start">
        {write.isPending ? 'Posting' : 'Post'}
      </Button>
    </form>
  )
}
