import { toast } from '../ui/toast'

/** Specification section 5: a visitor who wants to vote. */
export const showLoginRequired = () =>
  toast({ title: 'Login required', text: 'Please sign up or login to vote', tone: 'destructive' })
