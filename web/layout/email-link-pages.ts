// The pages that emailed links open share one chunk; those of the challenge are in the challenge's chunk.
export { ResetPasswordPage } from '../auth/ResetPasswordPage'
export { UndoEmailChangePage } from '../auth/UndoEmailChangePage'
export { VerifyEmailPage } from '../auth/VerifyEmailPage'
export { ConfirmAlertPage, ConfirmNewsletterPage, ConfirmStockAlertPage } from '../newsletter/ConfirmPage'
export { UnsubscribePage } from '../newsletter/UnsubscribePage'
export { ConfirmInquiryPage } from '../privacy/ConfirmInquiryPage'
