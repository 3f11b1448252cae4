export { getActivity as GET } from '#features/account/session-info.http.ts'
