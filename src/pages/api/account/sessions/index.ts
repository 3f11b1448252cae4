export {
  listSessions as GET,
  endOtherSessions as DELETE,
  endOtherSessions as POST,
} from '#features/account/sessions.http.ts'
