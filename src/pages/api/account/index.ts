export { deleteOwnAccount as DELETE, deleteOwnAccountByForm as POST } from '#features/account/delete-account.http.ts'
