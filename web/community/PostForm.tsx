import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { POST_LIMITS } from '../../worker/contract/community'
import { PAID_POSTS_A_DAY, POINTS } from '../../worker/contract/point-rules'
import type { UploadedPicture } from '../../worker/contract/uploads'
import { useMe } from '../auth/auth.queries'
import { sentence } from '../auth/sentence'
import { AreaField } from '../ui/AreaField'
import { Button, buttonClass } from '../ui/Button'
import { toast } from '../ui/toast'
import { useWrite } from './community.queries'
import { PostPictureField } from './PostPictureField'

const LONGEST = POST_LIMITS.text
const PAID = `+${POINTS.community_post} points, ${PAID_POSTS_A_DAY} times a day.`

/** What a supporter has to say; what was written stays until it is posted. */
export function PostForm() {
  const me = useMe()
  const write = useWrite()
  const [text, setText] = useState('')
  const [picture, setPicture] = useState<UploadedPicture | null>(null)
  const [alt, setAlt] = useState('')
  const [isSending, setIsSending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const [wordless, setWordless] = useState(false)
  if (me === null)
    return (
      <Link to="/login" search={{}} className={buttonClass()}>
        Log in to post
      </Link>
    )
  const take = (sent: UploadedPicture | null) => {
    setPicture(sent)
    setAlt('')
    setWordless(false)
  }
  // The focus goes to what is to be mended, and its sentence is read out with it.
  const focusOn = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
  const refuse = (said: string) => {
    setProblem(said)
    focusOn('text')
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (write.isPending) return
    if (text.trim() === '') return refuse('Please write something first.')
    if (isSending) return refuse('One moment: your picture is still on its way.')
    setProblem(undefined)
    if (picture && alt.trim() === '') {
      setWordless(true)
      return focusOn('alt')
    }
    write.mutate(picture ? { text, picture: { id: picture.id, alt } } : { text }, {
      onSuccess: ({ pointsAwarded }) => {
        setText('')
        take(null)
        toast({ title: 'Posted!', ...(pointsAwarded > 0 && { text: `+${pointsAwarded} points earned` }) })
      },
      onError: (error) => refuse(sentence(error)),
    })
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-5">
      <AreaField
        label="Your post"
        name="text"
        maxLength={LONGEST}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
        error={problem}
        hint={`${PAID} ${LONGEST - text.length} characters left.`}
      />
      <PostPictureField
        value={picture}
        onChange={take}
        alt={alt}
        onAlt={setAlt}
        onBusy={setIsSending}
        error={wordless && alt.trim() === '' ? 'Please say what the picture shows.' : undefined}
      />
      <Button type="submit" look="foil" aria-disabled={write.isPending || isSending} className="justify-self-start">
        {write.isPending ? 'Posting' : 'Post'}
      </Button>
    </form>
  )
}
