export {
  getPreferences as GET,
  savePreferences as PUT,
  savePreferencesByForm as POST,
} from '#features/account/notification-preferences.http.ts'
