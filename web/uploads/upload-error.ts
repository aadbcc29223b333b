import { ApiError, errorMessage } from '../api/call'

/** An error whose message is shown to the user. */
export class UploadError extends Error {}

/** The text of an upload's error; `fallback` unless its message is for the user. */
export function uploadErrorText(error: unknown, fallback: string): string {
  if (error instanceof ApiError) return errorMessage(error)
  return error instanceof UploadError ? error.message : fallback
}
