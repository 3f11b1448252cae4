export { submitRecoveryCode as POST } from '#features/auth/recovery-codes/recovery-codes.http.ts'
