# Bahasa Indonesia.

## Awal permainan (dokumen 000)
title = papan: tic-tac-toe di segala papan, dan Othello
choose-game = [PILIH PERMAINAN]
choose-opponent = [PILIH LAWAN]
choose-board = [PAPAN] ({ $example }; Enter untuk { $default }) :
choose-seat = [PILIH PLAYER]
seat-first = Player 1
seat-second = Player 2
choose = [PILIH] :
opponent-human = seorang teman di papan ketik ini
choose-again = Pilihlah angka dari 1 sampai { $last }, atau ketik sebuah nama.

## Di papan
input = [INPUT] :
turn-you = Giliran Anda [{ $mark }]
turn-person = Giliran { $side } [{ $mark }]
turn-mark = Giliran { $mark }
turn-computer = Giliran komputer [{ $mark }]
turn-named = Giliran { $player } [{ $mark }]
played = { $side } bermain di { $move }
passed = { $side } tidak punya langkah dan melewatkan giliran
legal-moves = Langkah yang sah: { $moves }
discs = { $first } { $first-count }, { $second } { $second-count }
clock = Jam: { $first } { $first-time }, { $second } { $second-time }
side-first-discs = Hitam
side-second-discs = Putih
slice = lapis { $level }
undone = Ditarik kembali: { $moves }
nothing-to-undo = Tidak ada yang dapat ditarik kembali.
hint-sure = Petunjuk: { $move } ({ $strategy }, nilai { $value })
hint-guess = Petunjuk: { $move } ({ $strategy })
no-hint = Tidak ada petunjuk di sini: { $reason }
help =
    Ketik sebuah langkah: { $example }.
    Kata yang selalu berlaku:
      batal     menarik kembali langkah Anda yang terakhir
      petunjuk  apa yang akan dimainkan pemain kuat?
      langkah   langkah sejauh ini dan langkah yang sah
      bantuan   halaman ini
      keluar    meninggalkan permainan
moves-so-far = Langkah sejauh ini: { $moves }
no-moves-yet = Belum ada langkah.

## Apa yang salah
wrong-empty = Ketik sebuah langkah, atau bantuan.
wrong-not-a-move = { $text } bukan langkah. Tulislah { $expected }.
wrong-off-board = { $text } tidak ada di papan. Tulislah { $expected }.
wrong-occupied = { $move } sudah terisi. Pilihlah kotak yang kosong.
wrong-flips-nothing = Keping di { $move } tidak membalik apa pun. Langkah yang sah: { $moves }
wrong-cannot-pass = Anda hanya boleh melewatkan giliran bila tidak ada langkah lain.
wrong-must-pass = Anda tidak punya langkah lain: ketik pass.
wrong-game-over = Permainan sudah selesai.
expected-number = angka dari 1 sampai { $last }
expected-number-or-square = angka dari 1 sampai { $last }, atau kotak dari a1 sampai { $square }
expected-square = kotak dari a1 sampai { $square }, atau baris dan kolom dari 11 sampai { $last }, atau pass
wrong-answer = Jawablah 1 atau 0.

## Akhir permainan
you-win = --[SELAMAT ANDA MENANG]--
you-lose = --[MAAF ANDA KALAH]--
draw = --[SERI]--
side-wins = { $side } menang!
side-wins-discs = { $side } menang { $winner-count } lawan { $loser-count }.
player-wins = { $side } menang ({ $player }).
winning-line = Garis kemenangan: { $cells }
out-of-time = Waktu { $side } habis.
no-answer = { $player } tidak punya jawaban di sini: { $reason }. Ia menyerah.
new-game = [NEW GAME?] <1. ya, 0. tidak>
goodbye = Sampai jumpa.
input-ended = Masukan berakhir sebelum permainan selesai.
recorded = Permainan dicatat di { $file }.

## Mengapa sebuah strategi tidak dapat bermain
unplayable-wrong-game = { $strategy } tidak memainkan { $game }.
unplayable-one-board = { $strategy } hanya mengenal { $board }, bukan { $game }.
unplayable-needs-depth = { $strategy } tanpa kedalaman akan menelusuri seluruh { $board }; berikan depth=.
unplayable-too-large = { $strategy } tidak dapat menyelesaikan { $board }: papan terlalu besar.
unplayable-other = { $reason }

## Strategi
strategy-human = seorang manusia
strategy-automaton = mencari jawaban di sebuah tabel, diputar ke sudut pembukaan
strategy-minimax = memainkan semua kemungkinan dan memilih yang terburuknya terbaik
strategy-alphabeta = memilih seperti minimax, tanpa menelusuri yang tidak perlu
strategy-branch-and-bound = menang bila bisa, selain itu bertahan di tempat bidak lawan paling berat
strategy-expert = mengikuti daftar aturan: menang, block, fork, block fork, tengah, pojok, sisi
strategy-greedy = mendekat ke kemenangan dan menjauhkan lawan darinya
strategy-greedy-points = memberi poin pada tiap jenis langkah dan memilih yang terbanyak
strategy-random = mengundi di antara langkah yang sah
strategy-mcts = memainkan banyak permainan acak dan mengikuti yang menang (UCT)
strategy-perfect = mengetahui nilai setiap langkah di papan yang cukup kecil
strategy-lookup = mencari posisi dalam sebuah daftar, beserta semua bayangan simetrinya

## Daftar
list-games = Permainan
list-strategies = Pemain
list-sizes = ukuran: { $sizes }
list-default = bawaan: { $default }

## Pembuktian dan sertifikat
seat-as-first = pemain pertama
seat-as-second = pemain kedua
prove-never-loses = { $strategy } sebagai { $seat } di { $game }: tidak pernah kalah
prove-can-lose = { $strategy } sebagai { $seat } di { $game }: bisa kalah
prove-counts = { "  " }jalannya permainan: { $lines } ({ $wins } menang, { $draws } seri, { $losses } kalah)
prove-size = { "  " }posisi: { $positions }; permainan terpanjang: { $longest } langkah
prove-losing-line = { "  " }kekalahan terpendek: { $moves }
prove-certified = { "  " }sertifikat: { $file }
prove-one-seat = Sertifikat berlaku untuk satu kursi: berikan --as first atau --as second.
prove-no-answer = { $strategy } tidak punya jawaban setelah { $moves }: { $reason }
prove-progress = langkah { $ply }, { $positions } posisi, { $rate }/detik
stopped = Dihentikan. Tidak ada yang ditulis.
check-believed = { $strategy } sebagai { $seat } di { $game }: tidak pernah kalah ({ $positions } posisi diperiksa)
check-refused = { $file } ditolak: { $reason }
check-not-a-certificate = ini bukan sertifikat papan.
check-version = sertifikat ini berversi { $version }, sedangkan papan ini membaca versi 1. Papan yang lebih baru menulisnya.
check-cut = berkas terpotong di tengah.
check-changed = berkas diubah setelah ditulis; checksum-nya salah.
check-line = baris { $line } seharusnya berisi { $expected }.
check-other-game = sertifikat ini untuk { $found }, bukan untuk { $wanted }.
check-missing = { $position } bisa terjadi, dan tidak ada jawabannya.
check-loses = baris { $line }: setelah { $move } lawan menang dengan { $reply }.

## Papan di terminal
board-too-small = Jendela ini terlalu kecil: { $now-columns } kolom dan { $now-rows } baris. Papan memerlukan { $columns } kolom dan { $rows } baris. Perbesar jendela atau perkecil hurufnya, atau tekan q untuk keluar.
board-footer = ? bantuan   u batal   i petunjuk   x alasan   v penilaian   n baru   q keluar
board-start-footer = panah memilih dan mengubah   Enter memulai atau mengetik   ? bantuan   q keluar
board-help-footer = panah menggulung, tombol lain menutup
board-help = tombol-tombol
board-label-setup = menyusun posisi
board-label-analysis = analisis
board-label-watching = menonton
board-label-walking = melihat ke belakang: p bermain dari sini
board-label-paused = dijeda: p melanjutkan
board-you = Anda
board-moves = Langkah
board-your-turn = Giliran Anda.
board-side-to-move = Giliran { $side }.
board-waits = { $side } menunggu: p melanjutkan.
board-must-pass = { $side } tidak punya langkah: Enter melewatkan.
board-thinks = { $player } sedang berpikir...
board-progress = kedalaman { $depth }, { $nodes } simpul { $score }
board-evaluation = Penilaian, untuk { $side }
board-lines-through = { $lines } garis melalui { $cell }: terbuka bagi { $first } { $first-open }, bagi { $second } { $second-open }
board-after-the-game = R tinjau  m ulang  n baru
board-review = Tinjauan
board-reviewing = meninjau langkah-langkah...
board-no-mistakes = Tidak ada kesalahan: bagus!
board-review-keys = atas, bawah: lihat kesalahan
board-mistake = { $ply }. { $side } { $played }: lebih baik { $better } (-{ $loss })
board-not-your-turn = Sekarang giliran komputer. Esc menghentikannya, p menjeda permainan.
board-no-further = Tidak ada lagi di arah itu.
board-nothing-to-redo = Tidak ada yang dapat dimainkan lagi.
board-ask-move = Langkah:
board-ask-save = Simpan sebagai:
board-ask-open = Buka catatan:
board-ask-position = Posisi atau langkah:
board-setup-keys = Spasi mengubah kotak (1, 2, 0 mengisinya), s pihak yang melangkah, c mengosongkan. Enter selesai, Esc membatalkan.
board-set-up = Posisi itu ada di papan analisis.
board-analysing = Papan analisis: mainkan kedua pihak; setiap langkah yang sah membawa nilainya.
board-opened = Catatan terbuka: , dan . menelusurinya, p melanjutkan bermain.
board-wrong-record = Ini bukan catatan: { $reason }
board-wrong-moves = { $word } bukan langkah yang sah di sana, dan teks itu bukan posisi.
board-wrong-game = Tidak ada permainan itu: { $reason }
board-wrong-value = { $text } tidak cocok di sini.
board-broken-settings = Pengaturan tersimpan di { $file } tidak terbaca dan diabaikan: { $reason }
board-not-saved = { $file } tidak tertulis: { $reason }
board-not-opened = { $file } tidak dapat dibuka: { $reason }
board-no-reasons = Tidak ada alasan di sini: { $reason }
board-copied = Disalin: { $moves }
board-flipped = Kursi bertukar.
board-paused = Dijeda. Selama permainan menunggu, Anda boleh melangkah untuk kedua pihak.
board-goes-on = Permainan berlanjut.
board-stopped = Dihentikan dan dijeda: p melanjutkan, atau melangkahlah untuk komputer.
board-speed = Detik di antara dua langkah: { $seconds }
board-thinking-of-hint = Mencari petunjuk...
board-hint = Petunjuk: { $move } ({ $strategy }: { $score })
board-numbers-off = Kotak membawa nomornya sendiri.
board-numbers-reasons = Angka-angka { $strategy } ada di kotak; x lagi untuk nilai.
board-numbers-scores = Nilai dari { $strategy } ada di kotak; x lagi untuk tanpa angka.
board-score-win = menang dalam { $plies }
board-score-draw = seri
board-score-loss = kalah dalam { $plies }
board-score-discs = { $value } keping
board-score-chance = { $percent } %
board-marks-pieces = Bidak: [X] langkah terakhir   *X* garis menang   X' keping terbalik   { $cursor } kursor
board-marks-cells = Kotak: { $legal } langkah sah   ! petunjuk atau terbaik   + atau -5- segaris dengan kursor
start-game = Permainan
start-player = { $side } dimainkan
start-clock = Jam
start-move-time = Waktu per langkah
start-seed = Undian
start-marks = Bidak
start-language = Bahasa
start-theme = Warna
start-drawing = Huruf
start-play = Main
start-analyse = Papan analisis
start-open = Buka catatan
start-quit = Keluar
start-none = tidak ada
start-default = seperti biasa
start-by-chance = baru setiap kali
start-no-colour = tidak ada (NO_COLOR terpasang)
start-about-game = Kiri dan kanan menelusuri permainan. Enter mengetik ukuran lain: tictactoe:7x7:5, tictactoe:4x4x4, othello:6x6.
start-about-clock = Waktu untuk permainan + waktu untuk tiap langkah, bagi kedua pemain. Enter mengetik yang lain: 5m+3s.
start-about-move-time = Waktu terlama pemain komputer untuk satu langkah. Enter mengetik detiknya.
start-about-seed = Pemain komputer yang mengundi mendapat undian yang sama untuk angka yang sama.
start-about-analyse = Mainkan kedua pihak, susun posisi, lihat nilai setiap langkah.
theme-dark = untuk latar gelap
theme-light = untuk latar terang
theme-colour-blind = biru dan jingga, untuk mata buta warna
theme-plain = tidak ada
drawing-automatic = sesuai terminal
drawing-boxes = huruf kotak
drawing-ascii = hanya ASCII
parameter-depth = banyaknya langkah ke depan
parameter-prefer = di antara langkah bernilai sama: yang pertama, atau yang menang lebih cepat dan kalah lebih lambat
parameter-seed = penentu undiannya
parameter-playouts = permainan acak untuk tiap langkah
parameter-formula = apa yang dibuat terbesar; as-printed menjumlahkan, seperti potongan di dokumen
parameter-ties = pemecah nilai yang sama
parameter-file = tabel buatan sendiri
key-move = menggerakkan kursor; tetikus juga bisa
key-level = kotak yang sama di lapis berikutnya
key-place = bermain di kotak kursor, atau lewat bila tidak ada yang lain
key-type = mengetik angka atau kotak; : untuk yang lain
key-undo = menarik kembali langkah Anda yang terakhir
key-redo = memainkannya lagi
key-walk = menelusuri langkah ke belakang dan ke depan
key-ends = ke posisi pertama atau terakhir
key-variation = variasi lain, bila ada beberapa
key-hint = petunjuk
key-explain = angka di kotak: alasan strategi, nilai, tanpa angka
key-evaluation = batang dan kurva penilaian
key-pause = menjeda, melanjutkan, atau bermain dari posisi terdahulu
key-speed = permainan yang ditonton lebih cepat atau lambat
key-flip = menukar kursi
key-review = tinjauan kesalahan
key-rematch = bertanding ulang
key-new = permainan baru: kembali ke halaman awal
key-save = menyimpan catatan
key-open = membuka catatan
key-copy = menyalin langkah
key-paste = mengetik atau menempel posisi atau langkah
key-analyse = papan analisis, nyala dan mati
key-set-up = menyusun posisi dengan tangan
key-theme = warna lain
key-language = bahasa yang lain
key-drawing = huruf kotak atau ASCII
key-help = halaman ini
key-stop = menghentikan komputer, menutup yang terbuka
key-quit = keluar
position-bad-character = Huruf { $column }: { $found } bukan kotak; tulis X (pemain pertama), O (kedua) atau -.
position-length = Posisi itu punya { $found } kotak, dan papan punya { $expected }.
position-no-turn = Giliran siapa? Tulis X atau O setelah kotak-kotaknya.
position-counts = { $first } X dan { $second } O tidak mungkin terjadi: X mulai, lalu bergantian.
position-turn = Dengan bidak sebanyak itu { $side } yang melangkah.
position-won = { $side } sudah menang, jadi permainan berakhir sebelumnya.
position-middle = Keempat kotak tengah tidak pernah kosong.
