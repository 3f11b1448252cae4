export { confirmMails as POST } from '#features/contact/relay/mails.http.ts'
