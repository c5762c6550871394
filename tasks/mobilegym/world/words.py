"""Places, firms and plain words of the invented world, in both languages."""

from mobilegym.world.dates import Locale

CITY: dict[Locale, str] = {"en": "Alderport", "zh": "云泽市"}
DISTRICTS: dict[Locale, tuple[str, ...]] = {
    "en": ("Quayside", "Fernhill", "Old Mill", "Copper Row", "Lantern Park", "Saltmarsh"),
    "zh": ("望江", "松陵", "旧埠", "铜巷", "灯湖", "盐滩"),
}
STREETS: dict[Locale, tuple[str, ...]] = {
    "en": (
        "Heron Street",
        "Ropewalk Lane",
        "Bellfounder Road",
        "Chandler Street",
        "Tidewater Lane",
        "Millrace Road",
        "Juniper Street",
        "Kiln Lane",
        "Orchard Road",
        "Sailmaker Street",
        "Thimble Lane",
        "Weaver Road",
    ),
    "zh": (
        "白鹭路",
        "缆绳巷",
        "铸钟街",
        "烛坊路",
        "潮水巷",
        "磨坊街",
        "桂子路",
        "窑口巷",
        "果园街",
        "帆工路",
        "顶针巷",
        "织工街",
    ),
}
# The second half of each pair is the mail domain.
COMPANIES: dict[Locale, tuple[tuple[str, str], ...]] = {
    "en": (
        ("Brightwater Works", "brightwater.example"),
        ("Foxglove Studio", "foxglove.example"),
        ("Harbor & Pine", "harborpine.example"),
        ("Copperline Labs", "copperline.example"),
        ("Meadowlark Clinic", "meadowlark.example"),
        ("Tallow Lane Bakery", "tallowlane.example"),
        ("Saltmarsh School", "saltmarsh.example"),
        ("Fernhill Homes", "fernhillhomes.example"),
    ),
    "zh": (
        ("明渠工坊", "mingqu.example"),
        ("风信子设计", "fengxinzi.example"),
        ("港松事务所", "gangsong.example"),
        ("铜线实验室", "tongxian.example"),
        ("云雀诊所", "yunque.example"),
        ("小巷面包房", "xiaoxiang.example"),
        ("盐滩中学", "yantan.example"),
        ("松陵房产", "songling.example"),
    ),
}
TITLES: dict[Locale, tuple[str, ...]] = {
    "en": ("Designer", "Engineer", "Analyst", "Manager", "Editor", "Planner"),
    "zh": ("设计师", "工程师", "分析师", "经理", "编辑", "策划"),
}
MAIL_HOSTS: dict[Locale, tuple[str, ...]] = {
    "en": ("postbird.example", "lanternmail.example"),
    "zh": ("youniao.example", "denghu.example"),
}
WIFI: dict[Locale, tuple[str, ...]] = {
    "en": ("Lighthouse", "Copper Kettle", "Quayside Guest", "Fern-5G", "Attic", "Marsh Cafe", "Studio North", "Pier 4"),
    "zh": ("灯塔", "铜壶", "望江访客", "松陵-5G", "阁楼", "盐滩咖啡", "北工作室", "四号码头"),
}
