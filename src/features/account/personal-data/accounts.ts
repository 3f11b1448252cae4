import { KNOWN_DEVICE_DAYS, MAX_SESSION_DAYS, UNDO_DAYS } from '#features/auth/auth.ts'
import { SECURITY_LOG_DAYS } from '#features/auth/security-log/security-log.ts'
import { DAY_MS } from '#lib/time.ts'

/** Accounts, what members are told of, and the site's own tables. */
export const ACCOUNT_TABLES = {
  users: {
    columns: 'owner(id) words(email) time(created_at) inner(disputed_at)',
    exported: 'one cuenta: id email created_at',
  },
  profiles_all: {
    columns:
      'owner(id) words(alias) value(emoji dogs_count breeds_count likes_count) flag(verified) time(created_at) inner(alias_key hidden)',
    exported:
      'one perfil: alias emoji verified created_at dogs_count:perros breeds_count:razas likes_count:likes_dados',
  },
  oauth_accounts: {
    columns: 'owner(user_id) value(provider) words(provider_user_id) time(created_at)',
    exported: 'few proveedores by created_at: provider provider_user_id created_at',
  },
  first_days: {
    columns: 'owner(user_id) value(step) time(closed_at)',
    exported: 'few primeros_pasos by step: step:paso closed_at:created_at',
  },
  account_devices: {
    columns: 'owner(user_id) id(id) secret(secret_hash sign_in_device) value(device) time(created_at used_at)',
    until: [{ used_at: KNOWN_DEVICE_DAYS * DAY_MS }],
    exported: 'few dispositivos_de_entrada by created_at: device:dispositivo created_at used_at',
  },
  sign_in_alerts: {
    columns:
      'owner(user_id) id(id session_id) value(device) words(email) time(created_at sent_at used_at) secret(token_hash removed) inner(event device_id try_at tries)',
    until: [{ created_at: UNDO_DAYS * DAY_MS, sent_at: null }, { sent_at: UNDO_DAYS * DAY_MS }],
    exported:
      'few avisos_de_dispositivo_nuevo by created_at: device:dispositivo email created_at sent_at:enviado used_at:no_he_sido_yo',
  },
  passkeys: {
    columns:
      'owner(user_id) id(id credential_id) words(name) value(device rp_id) time(created_at used_at) secret(public_key user_handle) inner(counter transports)',
    exported:
      'few llaves by created_at: id credential_id name:nombre device:dispositivo rp_id:sitio created_at used_at',
  },
  secrets: {
    columns: 'owner(user_id) secret(hash) id(dog_id about) time(created_at used_at) inner(kind expires_at)',
    until: [{ expires_at: 0 }],
    exported:
      'few codigos_de_recuperacion of recovery-code by used_at: created_at used_at; one enlace_de_lo_que_falta of album-link: created_at',
  },
  email_changes: {
    columns: 'owner(user_id) id(id) words(email previous_email) time(created_at confirmed_at)',
    until: [{ created_at: DAY_MS, confirmed_at: null }, { confirmed_at: UNDO_DAYS * DAY_MS }],
    exported: 'few cambios_de_email by created_at: email previous_email:anterior created_at confirmed_at:confirmado',
  },
  sessions: {
    columns:
      'owner(user_id) secret(id) id(public_id) value(device expires_at) time(created_at) inner(proved_at proved_by)',
    until: [{ expires_at: (now: number) => Math.floor(now / 1000) }, { created_at: MAX_SESSION_DAYS * DAY_MS }],
    exported: 'few sesiones by created_at: device:dispositivo created_at expires_at',
  },
  security_log: {
    columns: 'owner(user_id) id(id) value(event device) words(detail) time(created_at)',
    until: [{ created_at: SECURITY_LOG_DAYS * DAY_MS }],
    exported: 'list registro_de_seguridad by created_at id: event detail device:dispositivo created_at',
  },
  sign_in_tokens: {
    columns:
      'id(id) person(email mailbox) secret(device token_hash code_hash) value(purpose issuer) time(expires_at used_at created_at mailed_at) inner(tries device_tries mails)',
    unexported: 'a day: the address is in «cuenta»',
  },
  account_erasures: {
    columns: 'owner(user_id) value(dogs) time(created_at)',
    unexported: 'nobody can sign in to it',
  },
  account_deletions: {
    columns: 'owner(user_id) value(dogs state) time(requested_at due_at)',
    unexported: 'nobody who waits for it is signed in',
  },
  left_roles: { columns: 'person(user_id) value(role) id(dog_id)', unexported: 'the same' },
  notice_settings: {
    columns:
      'owner(user_id) flag(likes comments others follows follows_digest memories) value(quiet_from quiet_to time_zone)',
    exported:
      'function avisos: likes comments others follows follows_digest memories time_zone quiet_from:quiet quiet_to:quiet + digest',
  },
  digests: {
    columns: 'owner(user_id) flag(is_off) value(week) time(sent_at)',
    unexported: '«avisos» says whether it is wanted',
  },
  push_subscriptions: {
    columns:
      'owner(user_id) id(id) words(endpoint) secret(session_id p256dh auth) time(created_at) inner(refusals rest_until)',
    exported: 'few dispositivos by created_at: endpoint:servicio created_at',
  },
  home_zones: {
    columns:
      'owner(user_id) value(zone province alert_km alerted_day) flag(in_digest) time(created_at) inner(lat lon alert_cell)',
    exported:
      'one mi_zona: zone:zona province:provincia alert_km:avisos_km alerted_day:ultimo_aviso in_digest:resumen_semanal created_at',
  },
  notifications_all: {
    columns:
      'person(user_id actor_id named_id) id(id dog_id target_id target_dog_id) value(type title topic) words(content) flag(is_read) time(created_at) inner(link likes_since target_kind times is_urgent)',
    exported: 'function notificaciones: id type title content dog_id is_read created_at topic + photo urgent',
  },
  push_queue: {
    columns:
      'id(subscription_id notification_id) value(image) time(due_at queued_at) flag(held breaks_quiet) inner(tries)',
  },
  push_keys: { columns: 'id(id) secret(public_key private_key)' },
  jobs: {
    columns: 'owner(user_id) value(topic payload) trace(cursor key) time(run_at queued_at) inner(tries error version)',
    unexported: 'what the site is about to do: seconds, and mails a day at most',
  },
  events: {
    columns: 'owner(user_id actor_id) id(id thing_id dog_id) value(type data) time(created_at)',
    unexported: 'a week of when «notificaciones» and «comentarios» came',
  },
  breed_overrides: {
    columns: 'named(user_id) id(id) value(breed_slug changes before) time(created_at undone_at)',
    unexported: 'the site’s own words',
  },
  riddles: { columns: 'value(day breed_slug) secret(secret) time(created_at)' },
  geocodes: { columns: 'value(key lon lat place_name) time(created_at)' },
  daily_budgets: { columns: 'value(name used) time(since)' },
  community_years: { columns: 'value(year figures) time(computed_at)' },
} as const
