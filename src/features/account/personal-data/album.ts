import { FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'
import { DECLINED_COOLDOWN_MS } from '#features/dogs/ownership/ownership.ts'
import { ADMIN_LOG_DAYS } from '#features/moderation/admin-log.ts'
import { madridYear } from '#features/years/years.ts'
import { madridDay } from '#lib/dates.ts'
import { DAY_MS } from '#lib/time.ts'

/** The free texts about a dog, each a column; of the type of any, so that those below are checked one by one. */
const TEXTS = FREE_TEXT_NAMES.join(' ') as FreeText

/** Years that can be looked back on: in December two, from January on one. */
const pastYears = [{ year: (now: number) => madridYear(now) - 2 }]

/** The album, what members do in it, and moderation. */
export const ALBUM_TABLES = {
  dogs_all: {
    columns: `person(user_id owner_id discoverer_id) id(id) words(name breed zone ${TEXTS}) value(age age_unit weight size frame votes) flag(is_adopted) time(created_at updated_at) inner(breed_slug age_months photo_url day comments_count path_breed path_slug province hidden)`,
    exported: `function perros: id name breed age age_unit weight size zone is_adopted ${TEXTS} frame:marco votes:likes_recibidos created_at updated_at + relacion oculto textos_en_revision pagina images`,
  },
  dog_paths: { columns: 'value(breed_slug) words(slug) id(dog_id) time(created_at)' },
  dog_images_all: { columns: 'id(dog_id) words(alt) value(url order width height blur) inner(hidden)' },
  ownership_requests_all: {
    columns: 'person(user_id) id(dog_id) time(created_at declined_at) inner(hidden)',
    until: [{ declined_at: DECLINED_COOLDOWN_MS }],
    exported: 'few es_mi_perro by created_at: dog_id created_at declined_at:rechazada',
  },
  idempotency_keys: { columns: 'secret(key fingerprint answer) id(dog_id) time(created_at)' },
  dog_likes_all: {
    columns: 'person(user_id) id(id dog_id) time(created_at) inner(hidden)',
    exported: 'function likes: dog_id created_at + perro perro_oculto',
  },
  comments_all: {
    columns: 'person(user_id) id(id dog_id) words(content) time(created_at) inner(hidden)',
    exported: 'function comentarios: id dog_id content created_at + perro perro_oculto',
  },
  breed_opinions_all: {
    columns: 'person(user_id) id(id dog_id) value(breed_slug) words(reason) time(created_at) inner(hidden)',
    exported: 'function opiniones_de_raza: dog_id breed_slug:raza reason:motivo created_at + perro',
  },
  opinion_requests: { columns: 'id(dog_id) time(asked_at closed_at)' },
  member_dogs: {
    columns: 'person(user_id) id(dog_id) value(breed_slug) time(created_at)',
    unexported: 'counted from «perros»',
  },
  member_breeds: { columns: 'person(user_id) value(breed_slug dogs)', unexported: 'counted from «perros»' },
  dog_tallies: { columns: 'value(breed_slug size dogs likes)' },
  dog_day_tallies: { columns: 'value(day breed_slug size dogs)' },
  like_hour_tallies: { columns: 'value(hour likes)' },
  province_breeds: { columns: 'value(province breed_slug dogs)' },
  totals: { columns: 'value(name value)' },
  ranking_dogs: { columns: 'value(dogs members)' },
  ranking_likes: { columns: 'value(dogs likes members)' },
  dog_words: { columns: 'words(plain low) id(id) inner(place)' },
  member_words: { columns: 'person(id) words(plain low) inner(place)', unexported: 'of the alias in «perfil»' },
  follows: {
    columns: 'person(user_id target_id) value(kind) time(created_at)',
    exported: 'list siguiendo by kind target_id: kind:que target_id:id created_at',
  },
  riddle_guesses: {
    columns: 'owner(user_id) value(day position breed_slug) time(created_at)',
    exported: 'list retos by day position: day:reto position:intento breed_slug:raza created_at',
  },
  badges: {
    columns: 'owner(user_id) value(badge progress) id(dog_id) time(earned_at)',
    exported: 'list insignias by badge: badge:insignia progress:progreso dog_id earned_at:conseguida',
  },
  challenge_entries: {
    columns: 'owner(user_id) value(week) id(dog_id) time(joined_at)',
    exported: 'list retos_de_la_semana by joined_at week: week:semana dog_id joined_at:created_at',
  },
  member_years: {
    columns:
      'owner(user_id) person(fan_id) value(year figures) id(first_dog_id last_dog_id liked_dog_id) time(computed_at) inner(stamp)',
    until: pastYears,
    exported:
      'function años: year:año figures:cifras first_dog_id:primer_perro last_dog_id:ultimo_perro liked_dog_id:perro_mas_querido fan_id:quien_mas_likes computed_at:calculado + enlace_creado',
  },
  blocks: {
    columns: 'owner(user_id blocked_id) time(created_at) inner(notifications_pending)',
    exported: 'list moderacion.bloqueos by created_at blocked_id: blocked_id:id created_at',
  },
  reports: {
    columns:
      'person(user_id) id(id thing_id) value(kind reason) words(words) time(created_at closed_at) secret(origin) inner(counts)',
    until: [{ closed_at: 365 * DAY_MS }],
    exported: 'list moderacion.denuncias by created_at id: kind thing_id reason words created_at closed_at',
  },
  report_keys: { columns: 'value(day) secret(key)', until: [{ day: (now: number) => madridDay(now) - 1 }] },
  cases: {
    columns:
      'person(user_id) id(id thing_id dog_id) value(kind cause reports) flag(open) words(proposed) time(created_at latest_at edited_at)',
    unexported: 'texts that wait are in «perros», decisions in «moderacion.decisiones»',
  },
  decisions: {
    columns:
      'person(thing_id) named(admin_id) id(id case_id) value(kind deed) words(what reason) time(until created_at)',
    exported: 'function moderacion.decisiones: kind what deed reason until created_at + appeal appeal_at',
  },
  decision_people: {
    columns: 'person(user_id) id(decision_id) words(appeal) time(appeal_at created_at)',
    exported: 'function moderacion.decisiones: appeal appeal_at created_at + kind what deed reason until',
  },
  bans: {
    columns: 'owner(user_id) words(reason) time(until) inner(created_at)',
    until: [{ until: 0 }],
    exported: 'function moderacion.veto: until:hasta reason:motivo',
  },
  ban_digests: { columns: 'secret(digest) time(until)', until: [{ until: 0 }] },
  ban_keys: { columns: 'id(id) secret(key)' },
  admin_log: {
    columns: 'trace(admin_id target_id) id(id record_id) value(action target_kind) time(created_at)',
    // By the clock of the database, which refuses it earlier.
    until: [{ created_at: (now: number) => Math.min(now, Date.now()) - ADMIN_LOG_DAYS * DAY_MS }],
    unexported: 'of the site: what admins did',
  },
} as const
