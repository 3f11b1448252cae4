import { REPORTED_MESSAGE_DAYS } from '#features/contact/contact.ts'
import { NETWORK_DAYS } from '#features/contact/refusals.ts'
import { ALERTED_DOGS_DAYS } from '#features/lost/alerts/lost-alerts.ts'
import { madridDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/time.ts'

/** A network is compared for some days. */
const forgets = { network: { created_at: NETWORK_DAYS * DAY_MS } }

/** Lost and found dogs, and what is written about them. */
export const LOST_AND_FOUND_TABLES = {
  lost_cases: {
    columns:
      'owner(owner_id) id(id dog_id) words(help) value(zone lat lon shown_lat shown_lon chip code alerts) time(since opened_at) inner(province updated_at questions asked_at due_at)',
    exported:
      'function perros_perdidos: dog_id since:desde zone:zona lat:punto lon:punto shown_lat:punto_que_ven_otros shown_lon:punto_que_ven_otros help:que_ayuda chip code:codigo alerts:avisa_a opened_at:created_at',
  },
  lost_history: {
    columns:
      'owner(owner_id) id(dog_id) words(help) value(zone) time(since ended_at alerted_at thanked_at) inner(circle_lat circle_lon offset_north_m offset_east_m is_unanswered told_day told_count)',
    exported:
      'function busquedas: dog_id ended_at:terminada alerted_at:ultimo_aviso_a_otros thanked_at:gracias since:desde zone:zona help:que_ayuda',
  },
  lost_alerted_dogs: {
    columns: 'owner(owner_id) id(dog_id) time(alerted_at) secret(network)',
    until: [{ alerted_at: ALERTED_DOGS_DAYS * DAY_MS }],
    exported: 'few perros_de_los_que_se_aviso by alerted_at: dog_id alerted_at:fecha',
  },
  lost_alert_settings: {
    columns:
      'owner(user_id) value(zone radius_km alerted_day) flag(breaks_quiet by_mail by_push) time(created_at) inner(lat lon cell alerted_count alerted_near)',
    exported:
      'one avisos_de_perros_perdidos: zone:zona radius_km:km breaks_quiet:en_horas_de_silencio by_mail:por_email by_push:en_dispositivos alerted_day:ultimo_aviso created_at',
  },
  sightings_all: {
    columns:
      'owner(member_id) id(id case_id) words(words) value(lat lon zone) time(at created_at) secret(network secret_hash request_key) inner(warning state hidden)',
    forgets,
    exported:
      'function avistamientos: at:visto lat lon zone:zona words:palabras created_at + perro enviado_por_ti foto_jpeg_base64',
  },
  sighting_photos: { columns: 'id(sighting_id) value(data width height)' },
  sighting_refusals: {
    columns: 'owner(member_id owner_id) id(sighting_id) secret(network owner_network) time(refused_at)',
    until: [{ refused_at: NETWORK_DAYS * DAY_MS }],
    unexported: 'three days, and who sends is not told',
  },
  sighting_keys: {
    columns: 'value(day) secret(key)',
    until: [{ day: (now: number) => madridDay(now - (NETWORK_DAYS - 1) * DAY_MS) - 1 }],
  },
  found_notices_all: {
    columns:
      'person(member_id) id(id) words(coat collar words question) value(zone size breed_slug) time(found_at created_at) secret(secret_hash request_key network) inner(province shown_lat shown_lon expires_at state hidden)',
    forgets,
    exported:
      'function perros_encontrados: found_at:encontrado zone:zona size:tamano breed_slug:raza coat:pelo collar words:palabras question:pregunta created_at + foto_jpeg_base64',
  },
  found_photos: { columns: 'id(notice_id) value(data width height)' },
  found_matches: { columns: 'id(notice_id case_id) value(score band_km) time(told_at)' },
  found_claims: {
    columns: 'owner(user_id) id(id notice_id) words(answer) value(state) time(created_at) inner(decided_at)',
    exported: 'list respuestas_a_quien_encontro by created_at id: answer:respuesta state:estado created_at',
  },
  found_reports: {
    columns: 'owner(reporter_id) id(id notice_id claim_id) value(reason) time(created_at) secret(network)',
    forgets,
    exported:
      'list denuncias_de_encontrados by created_at id: notice_id:aviso claim_id:respuesta reason:motivo created_at',
  },
  found_scans: { columns: 'id(case_id) time(case_updated_at)' },
  contact_threads: {
    columns:
      'owner(member_id finder_id) id(id lost_case_id found_id) secret(secret_hash) value(ended) time(created_at latest_at member_seen_at finder_seen_at)',
    unexported: 'what was written is in «mensajes»',
  },
  contact_messages: {
    columns: 'id(id thread_id) words(text) time(created_at) secret(request_key) inner(side warning)',
    exported: 'function mensajes: thread_id:conversacion text:texto created_at',
  },
  contact_mails: {
    columns: 'id(thread_id) time(created_at) inner(side email confirm_until confirmed_at mailed_at)',
    until: [{ confirm_until: 0, confirmed_at: null }],
    exported: 'function avisos_de_mensajes: thread_id:conversacion created_at',
  },
  reported_messages: {
    columns:
      'owner(writer_id) named(reporter_id) id(id message_id) words(text) time(created_at) inner(side written_at)',
    until: [{ created_at: REPORTED_MESSAGE_DAYS * DAY_MS }],
    exported: 'function moderacion.mensajes_denunciados: message_id:mensaje text:texto created_at + lo_denunciaste',
  },
} as const
