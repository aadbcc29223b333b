// Pages that emailed links open, in one chunk; the challenge's are in its own.
export { ResetPasswordPage } from '../auth/ResetPasswordPage'
export { UndoEmailChangePage } from '../auth/UndoEmailChangePage'
export { VerifyEmailPage } from '../auth/VerifyEmailPage'
export { ConfirmAlertPage, ConfirmNewsletterPage, ConfirmStockAlertPage } from '../newsletter/ConfirmPage'
export { UnsubscribePage } from '../newsletter/UnsubscribePage'
export { ConfirmInquiryPage } from '../privacy/ConfirmInquiryPage'
