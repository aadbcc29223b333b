import { ApiError } from '../api/call'

/** The server's sentence without its status, for beside a field; toasts show the whole message. */
export function errorMessage(error: Error): string {
  return error instanceof ApiError ? error.message.replace(/^\d{3}: /, '') : 'That did not work. Please try again.'
}
