export {
  deletePasskey as DELETE,
  editPasskey as PATCH,
  editPasskeyByForm as POST,
} from '#features/auth/passkeys/passkeys.http.ts'
